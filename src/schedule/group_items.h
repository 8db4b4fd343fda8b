// The frame around items in programs whose invocations meet at barriers: an invocation does what
// several neighbours in its workgroup did, side by side, and the workgroup is that much smaller.
//
// Between barriers no invocation touches what another one writes, but by atomic adds, so their
// statements may be interleaved at will; a barrier for all of them is one barrier. There are as
// many workgroups as before, and each does what it did.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/names.h"
#include "schedule/step.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

class GroupItems {
 public:
  // Refuses a workgroup that is no multiple of the count, a program without barriers, and barriers
  // around which the items may part ways.
  [[nodiscard]] static Result<GroupItems> make(const ir::Program& program, std::uint8_t dim,
                                               std::uint32_t count, std::string_view what);

  [[nodiscard]] ir::Names& names() { return names_; }
  // The body of one item, in which invocation.d stands for its number in the workgroup.
  [[nodiscard]] const ir::Block& body() const { return program_.body; }
  // What each item has for itself, and which of it holds the elements of all items from now on.
  [[nodiscard]] std::vector<ir::Buffer> private_buffers() const;
  void spread(const ir::NameSet& private_buffers);
  // The number of an invocation's first item, a name that with_body declares.
  [[nodiscard]] const ir::Expr& first() const { return first_; }

  // The program in the smaller workgroup, with the body of all items.
  [[nodiscard]] ir::Program with_body(const ir::Block& body) const;

 private:
  GroupItems(ir::Program program, std::uint8_t dim, std::uint32_t count);

  ir::Program program_;
  std::uint8_t dim_;
  std::uint32_t count_;
  ir::Names names_;
  ir::Expr first_;
};

}  // namespace vyre::schedule
