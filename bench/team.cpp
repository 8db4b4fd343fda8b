#include "team.h"

namespace vyre::bench {

Team::Team()
    : second_([this] {
        for (;;) {
          turn_.wait(0);
          if (turn_.load() < 0) return;
          (*work_)(begin_, end_);
          turn_.store(0);
          turn_.notify_all();
        }
      }) {}

Team::~Team() {
  turn_.store(-1);
  turn_.notify_all();
  second_.join();
}

void Team::split(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  work_ = &work;
  begin_ = count / 2;
  end_ = count;
  turn_.store(1);
  turn_.notify_all();
  work(0, count / 2);
  turn_.wait(1);
}

}  // namespace vyre::bench
