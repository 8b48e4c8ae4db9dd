"""Who looks at the pages: the sign-in that `[auth]` in Streamlit's secrets asks for (OpenID Connect).

Without that section nobody is asked, and nobody's name is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from core_search.ui import markup

NEEDED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
CALLBACK = "/oauth2callback"  # where Streamlit takes the provider's answer
SHORTEST_SECRET = 16  # characters: who guesses the secret of the cookies can sign in as anybody


def ask() -> None:
    """Stop here with the sign-in page until somebody is signed in. What is set up by half lets nobody in."""
    problem = ""
    try:
        if "auth" not in st.secrets:
            return
        problem = _problem(st.secrets["auth"])
    except StreamlitSecretNotFoundError as error:
        if error.error_id == "no-secrets-found":
            return
        # There are secrets, and whether they ask for a sign-in cannot be known.
        problem = "Streamlit's secrets cannot be read, so nobody is let in: mend the file that the app's log names."
    if not problem and st.user.get("is_logged_in"):
        return
    st.title("core_search", anchor=False)
    if problem:
        st.error(f"{problem} Then start the app again.", icon=":material/error:")
    else:
        st.button("Sign in", type="primary", key="sign_in", on_click=st.login)
    st.stop()


def person() -> str:
    """Who is signed in; an empty text when nobody is asked to.

    The address comes first: two people may have one name, and many providers let people choose theirs.
    """
    if not st.user.get("is_logged_in"):
        return ""
    told = (st.user.get(claim) for claim in ("email", "name", "sub"))
    return " ".join(str(next(filter(None, told), "")).split())


def who_and_out() -> None:
    """Who is signed in, and the way out. Draws nothing when nobody is."""
    if who := person():
        st.html(markup.dim(who))
        st.button("Sign out", type="tertiary", key="sign_out", on_click=st.logout)


def _problem(auth: object) -> str:
    """What keeps people from signing in, with its remedy; an empty text when nothing does."""
    if find_spec("authlib") is None:
        return 'Signing in needs Authlib: `pip install -e ".[auth]"`.'
    section = auth if isinstance(auth, Mapping) else {}
    values = {name: str(section.get(name, "")) for name in NEEDED}
    if missing := [f"`{name}`" for name in NEEDED if not values[name].strip()]:
        return f"The `[auth]` section of Streamlit's secrets lacks {', '.join(missing)}: add what is missing."
    if not values["redirect_uri"].endswith(CALLBACK):
        return f"The `redirect_uri` in Streamlit's secrets is the address of this app with `{CALLBACK}` behind it."
    if len(values["cookie_secret"]) < SHORTEST_SECRET:
        return (
            f"The `cookie_secret` in Streamlit's secrets needs {SHORTEST_SECRET} random characters or more: "
            '`python -c "import secrets; print(secrets.token_hex(32))"` makes one.'
        )
    return ""
