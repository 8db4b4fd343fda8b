// Writes the page of the tests to a file, to look at while the page is changed.
#include <cstdio>
#include <fstream>

#include "report/sample_page.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: sample_report FILE.html\n", stderr);
    return 2;
  }
  std::ofstream file(argv[1]);
  file << vyre::report::html(vyre::testing::sample_page());
  return file.flush() ? 0 : 1;
}
