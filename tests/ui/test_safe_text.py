from __future__ import annotations

from core_search.ui import markup, safe_text

HOSTILE = "<script>x</script> **bold** ![p](https://e.x/p.png) :red[a] $m$ `c`"


def test_markdown_escapes_everything_that_means_something():
    escaped = safe_text.markdown(HOSTILE)
    assert "![" not in escaped
    assert "**" not in escaped
    assert escaped.replace("\\", "") == HOSTILE


def test_html_is_escaped_in_every_piece():
    pieces = [
        safe_text.block(HOSTILE),
        safe_text.span(HOSTILE),
        safe_text.chart(HOSTILE),
        markup.facts([(HOSTILE, HOSTILE)]),
        markup.tags([HOSTILE]),
        markup.table([HOSTILE], [[HOSTILE]]),
        markup.caption(HOSTILE),
        markup.dim(HOSTILE),
        markup.item_id(HOSTILE),
    ]
    assert all("<script" not in piece for piece in pieces)


def test_one_line_joins_lines_cuts_and_turns_no_direction():
    assert safe_text.one_line("a\n\n b\u202e c") == "a b c"
    assert safe_text.one_line("x" * 100, 10) == "x" * 9 + "…"


def test_a_block_keeps_its_lines():
    assert "a\n b" in safe_text.block("a\n b")
