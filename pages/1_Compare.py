"""The Compare page: what differs between configurations or runs, and which is better."""

import streamlit as st

from core_search.ui.compare.address import follow_link
from core_search.ui.compare.page import compare_page
from core_search.ui.frame import guarded, open_page

page = open_page("Compare", follow_link)
with guarded():
    compare_page(page)
st.html('<div class="cs-end"></div>')
