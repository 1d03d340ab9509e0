"""The app's router: a page per question. Missing data is a sentence, never a traceback."""

from __future__ import annotations

import streamlit as st

from models.errors import MeterhouseError

PAGES = (
    st.Page("views/what_should_i_use.py", title="What should I use?", default=True),
    st.Page(
        "views/what_happened_in_this_run.py", title="What happened in this run?", url_path="what-happened-in-this-run"
    ),
    st.Page("views/can_i_trust_this_data.py", title="Can I trust this data?", url_path="can-i-trust-this-data"),
)


def main() -> None:
    st.set_page_config(page_title="Meterhouse", layout="wide")
    page = st.navigation(list(PAGES), position="top")
    try:
        page.run()
    except MeterhouseError as error:
        st.title(page.title)
        st.info(str(error))


main()
