"""The keys of a card, on the Review page and in place.

Streamlit keeps `c` for itself and knows no `?`, so a small script presses the buttons.

It also sees to it that a press is about a card that somebody has seen: a key that is held down, or pressed before the
next card is there, does nothing. The number in `rv-turn` changes when the server is ready for the next press. After `c`
a number waits for the reasons; after `n` the cursor goes into the note.
"""

from __future__ import annotations

import streamlit as st

# Key, what it does; in the order in which they are shown.
KEYS = (
    ("0 1 2 3", "grade the card"),
    ("s", "skip: the card comes back at the end"),
    ("u", "undo your last press"),
    ("n", "write a note; Enter keeps it"),
    ("c", "cannot judge: then 1 to 4 for the reason"),
    ("?", "show or hide the keys"),
)

# Constant text: nothing of a memory or of a person is in it.
_SCRIPT = """<script>
(() => {
  if (window.coreSearchReviewKeys) return;
  window.coreSearchReviewKeys = true;
  const PANEL = ".st-key-card, .st-key-in_place";
  const BUTTONS = ".st-key-card button, .st-key-in_place button";
  const LONGEST_MS = 10000;  // the server may be gone: then a press may be tried again
  const named = { s: "skip", u: "undo", n: "note", c: "cannot", "?": "keys" };
  const find = (selector) => document.querySelector(selector);
  const press = (name) => find(`.st-key-judge_${name} button`);
  const button = (key) => key in named ? press(named[key]) : press(`reason_${key}`) ?? press(`grade_${key}`);
  const turn = () => find(".rv-turn")?.dataset.turn;
  const typing = (target) => target instanceof Element && target.closest("input, textarea, [contenteditable=true]");
  const swallow = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  let pressed = { turn: null, at: 0 };
  let reason = null;
  const waiting = () => {
    if (pressed.turn === null || Date.now() - pressed.at > LONGEST_MS) return false;
    const now = turn();  // not there for a moment while it is drawn anew
    return now === undefined || now === pressed.turn;
  };

  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || !find(PANEL)) return;
    const key = event.key.toLowerCase();
    if (!(key in named) && !"01234".includes(key)) return;
    swallow(event);  // Streamlit would press the button of a key that is held down again and again
    if (event.repeat) return;
    if (waiting()) {
      if (reason && "1234".includes(key)) reason = key;
      return;
    }
    reason = key === "c" && !find(".st-key-card_reasons") ? "asked" : null;
    button(key)?.click();
  }, true);

  window.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest(BUTTONS)) return;
    if (waiting()) return swallow(event);
    pressed = { turn: turn() ?? pressed.turn, at: Date.now() };
  }, true);

  new MutationObserver(() => {
    const field = find(".st-key-card_note input");
    if (field && !field.dataset.seen) {
      field.dataset.seen = "yes";
      field.focus();
    }
    if (reason && reason !== "asked" && !waiting()) {
      const number = reason;
      reason = null;
      button(number)?.click();
    }
  }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-turn"] });
})();
</script>"""


def listen() -> None:
    """Put the script on the page, once and outside of what is drawn anew with every card."""
    with st.container(key="card_script"):
        st.html(_SCRIPT, unsafe_allow_javascript=True)
