"""The Memory page: look through what is stored, bring memories in, and look after them."""

import streamlit as st

from core_search.ui.frame import guarded, open_page
from core_search.ui.memory.address import follow_link
from core_search.ui.memory.page import memory_page

page = open_page("Memory", follow_link)
with guarded():
    memory_page(page)
st.html('<div class="cs-end"></div>')
