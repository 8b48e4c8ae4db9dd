"""The Inspect page: ask a memory and see every stage of the search."""

import streamlit as st

from core_search.ui.frame import guarded, open_page
from core_search.ui.inspect_page import follow_link, inspect_page

page = open_page("Inspect", follow_link)
with guarded():
    inspect_page(page)
st.html('<div class="cs-end"></div>')
