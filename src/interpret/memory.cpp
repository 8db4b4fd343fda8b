#include "interpret/memory.h"

#include <cstring>

#include "interpret/semantics.h"

namespace vyre::interpret {
namespace {

using semantics::f32;
using semantics::f64;
using semantics::i32;
using semantics::u32;
using semantics::u64;

// How an element is kept: as its cell, except that a bool is one byte and that narrow elements are
// converted.
template <class Cell>
struct Plain {
  using Value = Cell;
  static Cell get(const std::byte* bytes, std::size_t element) {
    Cell value;
    std::memcpy(&value, bytes + element * sizeof(Cell), sizeof(Cell));
    return value;
  }
  static void put(std::byte* bytes, std::size_t element, Cell value) {
    std::memcpy(bytes + element * sizeof(Cell), &value, sizeof(Cell));
  }
};
struct Bool {
  using Value = u32;
  static u32 get(const std::byte* bytes, std::size_t element) {
    return bytes[element] == std::byte{0} ? 0 : 1;
  }
  static void put(std::byte* bytes, std::size_t element, u32 value) {
    bytes[element] = static_cast<std::byte>(value);
  }
};

template <class Stored, class Cell>
struct Narrow {
  using Value = Cell;
  static Cell get(const std::byte* bytes, std::size_t element) {
    return static_cast<Cell>(Plain<Stored>::get(bytes, element));
  }
  static void put(std::byte* bytes, std::size_t element, Cell value) {
    Plain<Stored>::put(bytes, element, static_cast<Stored>(value));
  }
};

template <AccessKind kind>
std::optional<AccessFault> note(Memory& memory, u32 position, u32 element, Epoch epoch) {
  const bool starts_undefined = memory.is_shared() || memory.is_private();
  const bool needs_value = starts_undefined && kind != AccessKind::write;
  if (needs_value && !memory.shadow.is_written(element, epoch)) {
    return AccessFault{AccessFault::Reason::uninitialised, kind, position, element};
  }
  if (memory.is_scratch()) {
    if (kind != AccessKind::write && memory.written[element] == 0) {
      return AccessFault{AccessFault::Reason::uninitialised, kind, position, element};
    }
    memory.written[element] = 1;
  }
  if (!memory.shadow.note(kind, element, position, epoch)) {
    return AccessFault{AccessFault::Reason::race, kind, position, element};
  }
  return std::nullopt;
}

// Calls move(position, first element in the memory) for each active invocation whose access is
// allowed.
template <AccessKind kind, class Move>
std::optional<AccessFault> each(const Access& access, Memory& memory, const Frame& frame,
                                Epoch epoch, Move move) {
  const u32* mask = frame.cells<const u32>(frame.active.mask);
  const u32* index = frame.cells<const u32>(access.index);
  const bool noted = memory.shadow.is_on() || memory.is_scratch();
  for (u32 i = frame.active.first; i < frame.active.last; ++i) {
    if (mask[i] == 0) continue;
    const u32 element = index[i];
    if (std::uint64_t{element} + access.lanes > memory.count) {
      return AccessFault{AccessFault::Reason::out_of_bounds, kind, i, element};
    }
    const u32 first = memory.first_of(i);
    for (u32 lane = 0; noted && lane < access.lanes; ++lane) {
      auto fault = note<kind>(memory, i, first + element + lane, epoch);
      if (!fault) continue;
      fault->element -= first;
      return fault;
    }
    move(i, first + element);
  }
  return std::nullopt;
}

// Calls visit.template operator()<How>() for the way the element type is kept.
template <class Visit>
std::optional<AccessFault> by_element(Scalar element, Visit visit) {
  switch (element) {
    case Scalar::boolean:
      return visit.template operator()<Bool>();
    case Scalar::f32:
      return visit.template operator()<Plain<f32>>();
    case Scalar::f64:
      return visit.template operator()<Plain<f64>>();
    case Scalar::u64:
    case Scalar::i64:
      return visit.template operator()<Plain<u64>>();
    case Scalar::u8:
      return visit.template operator()<Narrow<std::uint8_t, u32>>();
    case Scalar::i8:
      return visit.template operator()<Narrow<std::int8_t, i32>>();
    case Scalar::u16:
      return visit.template operator()<Narrow<std::uint16_t, u32>>();
    case Scalar::i16:
      return visit.template operator()<Narrow<std::int16_t, i32>>();
    case Scalar::f16:
      return visit.template operator()<Narrow<Half, f32>>();
    default:
      return visit.template operator()<Plain<u32>>();
  }
}

}  // namespace

std::optional<AccessFault> load(const Access& access, Memory& memory, const Frame& frame,
                                Epoch epoch) {
  return by_element(memory.buffer->element, [&]<class How>() {
    const std::byte* bytes = memory.bytes.data();
    return each<AccessKind::read>(access, memory, frame, epoch, [&](u32 i, std::size_t element) {
      for (u32 lane = 0; lane < access.lanes; ++lane) {
        frame.cells<typename How::Value>(access.value, lane)[i] = How::get(bytes, element + lane);
      }
    });
  });
}

std::optional<AccessFault> store(const Access& access, Memory& memory, const Frame& frame,
                                 Epoch epoch) {
  return by_element(memory.buffer->element, [&]<class How>() {
    std::byte* bytes = memory.bytes.data();
    return each<AccessKind::write>(access, memory, frame, epoch, [&](u32 i, std::size_t element) {
      for (u32 lane = 0; lane < access.lanes; ++lane) {
        How::put(bytes, element + lane, frame.cells<typename How::Value>(access.value, lane)[i]);
      }
    });
  });
}

// u32 and i32 wrap alike. f64 is what a program of f32 becomes where it is evaluated precisely.
std::optional<AccessFault> atomic_add(const Access& access, Memory& memory, const Frame& frame,
                                      Epoch epoch) {
  return by_element(memory.buffer->element, [&]<class How>() {
    std::byte* bytes = memory.bytes.data();
    const auto* value = frame.cells<const typename How::Value>(access.value);
    return each<AccessKind::atomic>(access, memory, frame, epoch, [&](u32 i, std::size_t element) {
      How::put(bytes, element, semantics::add(How::get(bytes, element), value[i]));
    });
  });
}

}  // namespace vyre::interpret
