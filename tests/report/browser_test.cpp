// The page as a reader sees it: in a real browser, wide and on a phone, light and dark.
#include "support/browser.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/sample_page.h"

namespace vyre::report {
namespace {

using testing::Browser;
using testing::Image;
using testing::Pixel;
using testing::Scheme;

constexpr std::size_t phone = 375;
constexpr std::size_t wide = 1'200;

class InTheBrowser : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!browser_) GTEST_SKIP() << "chromium is not installed: run tools/install test";
  }

  const std::optional<Browser> browser_ = Browser::find();
  const std::string page_ = html(testing::sample_page());
};

class Seen : public InTheBrowser,
             public ::testing::WithParamInterface<std::tuple<std::size_t, Scheme>> {};

int brightness(Pixel p) { return (p.red + p.green + p.blue) / 3; }
bool is_blue(Pixel p) { return p.blue - p.red > 70; }
bool is_orange(Pixel p) { return p.red - p.blue > 90 && p.green - p.blue > 40; }
bool is_red(Pixel p) { return p.red - p.green > 80 && std::abs(p.green - p.blue) < 40; }

TEST_P(Seen, ThePaperHasItsSchemesBrightnessAndThePlotsTheirColours) {
  const auto [width, scheme] = GetParam();
  const Image image = browser_->screenshot(page_, width, 2'400, scheme);
  ASSERT_EQ(image.height, 2'400U);

  const Pixel paper = image.at(3, 3);
  EXPECT_TRUE(scheme == Scheme::dark ? brightness(paper) < 50 : brightness(paper) > 230)
      << brightness(paper);
  EXPECT_EQ(image.at(width - 3, 2'000), paper);
  const auto of_paper = std::ranges::count(image.pixels, paper);
  const auto all = static_cast<std::ptrdiff_t>(image.pixels.size());
  EXPECT_GT(of_paper, all / 2);
  EXPECT_LT(of_paper, all * 97 / 100);

  // The tuned kernel, the default and the failures.
  EXPECT_GT(std::ranges::count_if(image.pixels, is_blue), 1'500);
  EXPECT_GT(std::ranges::count_if(image.pixels, is_orange), 300);
  EXPECT_GT(std::ranges::count_if(image.pixels, is_red), 300);
}

std::string screen_name(const ::testing::TestParamInfo<Seen::ParamType>& screen) {
  const std::string width = std::get<0>(screen.param) == phone ? "Phone" : "Wide";
  return width + (std::get<1>(screen.param) == Scheme::dark ? "Dark" : "Light");
}
INSTANTIATE_TEST_SUITE_P(Screens, Seen,
                         ::testing::Combine(::testing::Values(phone, wide),
                                            ::testing::Values(Scheme::light, Scheme::dark)),
                         screen_name);

// Extreme names and numbers of parameters, which must not widen the page either.
Page crowded_page() {
  Page page = testing::sample_page();
  page.device = std::string(300, 'd');
  auto& run = page.kernels[0];
  run.kernel = "kernel_" + std::string(300, 'k');
  run.parameters[0] = std::string(120, 'p');
  for (auto& tried : run.tried) {
    tried.reason += std::string(400, 'r');
    tried.values[5] = std::get<std::string>(tried.values[5]) + std::string(300, 'v');
  }
  return page;
}

TEST_F(InTheBrowser, APhoneNeedNotScrollSideways) {
  const std::string overflow = "page.documentElement.scrollWidth - view.innerWidth";
  EXPECT_EQ(browser_->evaluate(page_, phone, overflow), "0");
  EXPECT_EQ(browser_->evaluate(html(crowded_page()), phone, overflow), "0");
}

// Text in a drawing shrinks with it.
TEST_F(InTheBrowser, TheTextOfPlotsIsLargeEnoughOnAPhoneAndWithinThePage) {
  const std::string texts = "[...page.querySelectorAll('svg text')]";
  const std::string size =
      "(t => parseFloat(view.getComputedStyle(t).fontSize) * "
      "t.ownerSVGElement.getBoundingClientRect().width / t.ownerSVGElement.viewBox.baseVal.width)";
  EXPECT_GE(
      std::stod(browser_->evaluate(page_, phone, "Math.min(..." + texts + ".map" + size + ")")),
      10);
  const std::string outside =
      ".filter(t => !t.closest('.wide') && (t.getBoundingClientRect().left < 0 || "
      "t.getBoundingClientRect().right > view.innerWidth)).length";
  EXPECT_EQ(browser_->evaluate(page_, phone, texts + outside), "0");
  EXPECT_EQ(browser_->evaluate(html(crowded_page()), phone, texts + outside), "0");
}

// Without the policy that forbids scripts: what is escaped is harmless by itself.
TEST_F(InTheBrowser, AScriptInANameDoesNotRun) {
  Page page = testing::sample_page();
  const std::string bad = "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'>";
  page.title = page.device = page.kernels[0].kernel = page.kernels[0].parameters[0] = bad;
  std::string text = html(page);
  const std::size_t policy = text.find("default-src");
  ASSERT_NE(policy, std::string::npos);
  text.replace(policy, text.find('"', policy) - policy, "");
  EXPECT_EQ(browser_->evaluate(text, wide,
                               "view.ran + ' ' + page.scripts.length + ' ' + "
                               "page.images.length"),
            "undefined 0 0");
}

// WCAG asks for a ratio of 4.5 for text.
TEST_F(InTheBrowser, TextStandsOutFromThePaperInBothSchemes) {
  const std::string least = R"js((() => {
    const luminance = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
      .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ratios = [];
    for (const block of page.querySelector('style').textContent.matchAll(/:root \{([^}]*)\}/g)) {
      const colour = name => luminance(block[1].match(name + ': (#[0-9a-f]{6})')[1]);
      for (const text of ['--ink', '--soft', '--tuned', '--default', '--fail']) {
        const [a, b] = [colour(text), colour('--paper')].sort((x, y) => y - x);
        ratios.push((a + 0.05) / (b + 0.05));
      }
    }
    return ratios.length == 10 ? Math.min(...ratios) : 0;
  })())js";
  EXPECT_GE(std::stod(browser_->evaluate(page_, wide, least)), 4.5);
}

}  // namespace
}  // namespace vyre::report
