"""Pictures: pure functions from values to plotly figures. No Streamlit, no stores."""
