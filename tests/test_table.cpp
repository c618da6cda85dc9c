// Tables and findings as values, and the texts that are made of them.
#include <cmath>

#include "batch/finding.hpp"
#include "helpers.hpp"
#include "outrider/detail/settings.hpp"

using namespace outrider;

namespace test_table {
namespace {

Table sample() {
    Table t;
    t.columns = {{"name", "name"}, {"value", TableCell("value ").add("\n").small("less"), false, false}};
    t.section("a < b");
    TableCell cell(Number{1234.5});
    cell.add(" ").small(Range{Number{0.25}, Missing{"never"}, "95 % "}).small("; 2 of 6");
    t.add({"x,y", cell}, true);
    return t;
}

}  // namespace

TEST_CASE("values are written as people read them, and with all digits in CSV") {
    CHECK(to_text(Value(Number{1234.5})) == "1234");
    CHECK(to_text(Value(Number{0.123456, Number::Digits::two_decimals})) == "0.12");
    CHECK(to_text(Value(Number{0.123456, Number::Digits::all})) == "0.123456");
    CHECK(to_text(Value(Number{std::nan("")})) == "–");
    CHECK(to_text(Value(PValue{0.000123})) == "0.00012");
    CHECK(to_text(Value(Range{Number{3}, Missing{"never"}, ""})) == "[3, never]");
    CHECK(to_csv({TableCell(Number{0.123456}), TableCell(PValue{0.000123}), TableCell(Missing{"never"}),
                  TableCell(std::size_t{6}), TableCell("a, \"b\""), TableCell(Number{std::nan("")}),
                  TableCell(Range{Number{3}, Number{4}, ""})}) ==
          "0.123456,0.000123,,6,\"a, \"\"b\"\"\",nan,\"[3, 4]\"\n");
}

TEST_CASE("one table is written as HTML, CSV and text") {
    const Table t = sample();
    CHECK(to_html(t) ==
          "<div class='wide'><table><tr><th>name</th><th>value <br><small>less</small></th></tr>\n"
          "<tr><th class='l' colspan='2'>a &lt; b</th></tr>\n"
          "<tr class='shown'><td>x,y</td><td>1234 <small>[95 % 0.25, never]; 2 of 6</small></td></tr>\n"
          "</table></div>");
    CHECK(to_csv(t) == "name,value\na < b\n\"x,y\",\"1234 [95 % 0.25, never]; 2 of 6\"\n");
    CHECK(to_text(t, 7, 8) ==
          "name                        value  less\n"
          "a < b  \n"
          "x,y     1234 [95 % 0.25, never]; 2 of 6\n");
    Table empty;
    empty.columns = named_columns({"a", "b"});
    CHECK(to_csv(empty) == "a,b\n");
    empty.section("");
    CHECK(empty.rows.empty());
}

TEST_CASE("a table for LaTeX: as many columns in each row, braces in pairs, nothing that LaTeX takes for a command") {
    Table t;
    t.columns = {{"name", "a_name & more"},
                 {"value", TableCell("50 %").add("\n").small("less is better"), false, true}};
    t.section("one #1");
    t.add({"x^2 {~} \\ $", TableCell(Number{0.5}).add(" ").small(Range{Number{0.25}, Number{0.75}})}, true);
    t.add({"p < 5", Missing{}});
    const std::string tex = to_latex(t);
    CAPTURE(tex);
    CHECK(tex.find("a\\_name \\& more & \\begin{tabular}[t]{@{}r@{}}50 \\%\\\\ {\\footnotesize less is "
                   "better}\\end{tabular} \\\\") != std::string::npos);
    CHECK(tex.find("\\multicolumn{2}{l}{\\textit{one \\#1}}") != std::string::npos);
    CHECK(tex.find("x\\^{}2 \\{\\~{}\\} \\textbackslash{} \\$ & \\textbf{0.5}") != std::string::npos);
    CHECK(tex.find("p $<$ 5 & --") != std::string::npos);
    int depth = 0;
    for (std::size_t i = 0; i < tex.size(); ++i) {
        const bool escaped = i > 0 && tex[i - 1] == '\\' && !(i > 1 && tex[i - 2] == '\\');
        if (tex[i] == '{' && !escaped) ++depth;
        if (tex[i] == '}' && !escaped) --depth;
        REQUIRE(depth >= 0);
    }
    CHECK(depth == 0);
}

TEST_CASE("columns are as wide as their widest cell, counted in characters") {
    Table t;
    t.columns = {{"", ""}, {"v", "v"}};
    t.add({"a", "–"});
    t.add({"much longer", "123456"});
    CHECK(to_text(t, 4, 3) ==
          "                 v\n"
          "a                –\n"
          "much longer 123456\n");
}

TEST_CASE("a finding says who is better, that nothing is shown, or that nothing could be compared") {
    const double never = std::nan("");
    const std::vector<double> slow{10, 12, 14, 16, 18, 20, 22}, fast{5, 6, 7, 8, 9, 10, 11};
    Finding f{compare_samples(slow, fast, true, true), "", "t90_base", "a", "b"};
    CHECK(f.pairs == 7);
    CHECK(f.better_b == 7);
    CHECK(f.favours_b);
    CHECK(f.median == -8);
    adjust({&f});
    CHECK(f.adjusted == f.p);
    CHECK(f.verdict() == Finding::Verdict::b_is_better);
    CHECK(verdict(f) == "b is better");
    CHECK(sentence(f).starts_with("b - a: median -8 [95 % -"));
    CHECK(sentence(f).ends_with("; b better in 7, a in 0; A12 0.97; p 0.016, Holm 0.016: b is better"));
    f = {compare_samples(slow, fast, false, true), "", "auc_base", "a", "b"};
    adjust({&f});
    CHECK(f.verdict() == Finding::Verdict::a_is_better);
    f = {compare_samples(std::vector{1.0}, std::vector{2.0}, true, true), "", "t90_base", "a", "b"};
    CHECK(verdict(f) == "no difference shown");
    CHECK(sentence(f) == "b - a: median 1; b better in 0, a in 1; A12 0.00; p 1, Holm 1: no difference shown");
    f = {compare_samples(std::vector{never}, std::vector{2.0}, true, true), "", "return_steps", "a", "b"};
    CHECK(verdict(f) == "nothing to compare");
    CHECK(sentence(f) == "b - a: no pair in which both have a value");
    // Without a common start the samples as such are compared.
    CHECK_FALSE(compare_samples(std::vector{never, 1.0}, std::vector{2.0, never}, true, false).paired);
    CHECK_FALSE(compare_samples(std::vector{never, 1.0}, std::vector{2.0, never}, true, true).made());
}

TEST_CASE("a ranking becomes a sentence: ties, never, left out runs, open tests") {
    Finding shown{compare_samples(std::vector<double>{10, 12, 14, 16, 18, 20, 22},
                                  std::vector<double>{5, 6, 7, 8, 9, 10, 11}, true, true),
                  "", "t90_base", "a", "b"};
    adjust({&shown});
    Ranking r{"", "t90_base", {{"b", Number{8}, false, 7, 0}, {"a", Number{16}, false, 7, 0}}, {shown}};
    CHECK(sentence(r) ==
          "t90_base (steps): b 8, then a 16 in the median. The difference is shown (p 0.016 after correction).");
    r.findings[0].against_medians = true;
    CHECK(sentence(r).ends_with(" By pairs b is better than a, whatever the medians."));
    Finding open = shown;
    open.adjusted = 0.4;
    open.b = "c";
    r = {"comm.range_m = 2",
         "t90_base",
         {{"b", Number{8}, false, 5, 2}, {"c", Number{8}, true, 7, 0}, {"a", Missing{"never"}, false, 7, 0}},
         {shown, open}};
    CHECK(
        sentence(r) ==
        "comm.range_m = 2, t90_base (steps): b 8 (of 5 of 7 runs) and c 8, then a never in the median. The others are "
        "shown; no difference is shown between a and c (p 0.4).");
    r.findings = {shown, shown};
    CHECK(sentence(r).ends_with("All 2 differences are shown (p at most 0.016 after correction)."));
    r.findings = {};
    CHECK(sentence(r).ends_with("in the median. Nothing can be compared."));
}

}  // namespace test_table
