"""The Review page: judge relevance by hand, one card at a time."""

import streamlit as st

from core_search.ui.frame import guarded, open_page
from core_search.ui.review.page import review_page

page = open_page("Review")
with guarded():
    review_page(page)
st.html('<div class="cs-end"></div>')
