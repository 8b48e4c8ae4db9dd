"""The Evaluate page: how good the answers to judged queries are, and where relevant items get lost."""

import streamlit as st

from core_search.ui.evaluate.address import follow_link
from core_search.ui.evaluate.page import evaluate_page
from core_search.ui.frame import guarded, open_page

page = open_page("Evaluate", follow_link)
with guarded():
    evaluate_page(page)
st.html('<div class="cs-end"></div>')
