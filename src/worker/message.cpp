#include "worker/message.h"

#include <utility>

#include "vyre/ir/text.h"
#include "worker/wire.h"

namespace vyre::worker {
namespace {

// A damaged count must not make the reader allocate without end.
constexpr std::uint64_t max_arguments = ir::max_declared;
constexpr std::uint64_t max_devices = 4096;
constexpr std::uint64_t max_later_stages = ir::max_stages - 1;

void write(Writer& w, const Extent& extent) {
  for (const std::uint32_t n : extent) w.number(n);
}
Extent read_extent(Reader& r) {
  Extent extent{};
  for (std::uint32_t& n : extent) n = r.number<std::uint32_t>();
  return extent;
}

void write(Writer& w, const Shape& shape) {
  for (const Extent* extent : {&shape.grid, &shape.groups, &shape.workgroup}) write(w, *extent);
}
Shape read_shape(Reader& r) {
  Shape shape;
  for (Extent* extent : {&shape.grid, &shape.groups, &shape.workgroup}) *extent = read_extent(r);
  return shape;
}

// Calls `one` as often as a count says that may be damaged.
template <class One>
void read_each(Reader& r, std::uint64_t most, const One& one) {
  const auto count = r.number<std::uint64_t>();
  if (count > most) r.fail();
  for (std::uint64_t i = 0; i < count && r.ok(); ++i) one();
}

void write(Writer& w, const Open& m) {
  w.text(m.device);
  w.number(std::uint8_t{m.guards});
}
void write(Writer& w, const Put& m) {
  w.number(m.id);
  w.bytes(*m.content);
  w.number(std::uint8_t{m.in_buffer});
}
void write(Writer& w, const Drop& m) { w.number(m.id); }
void write(Writer& w, const Build& m) {
  w.number(m.id);
  for (const std::string* text : {&m.source, &m.entry, &m.options}) w.text(*text);
  w.number(std::uint64_t{m.then.size()});
  for (const std::string& entry : m.then) w.text(entry);
}
void write(Writer& w, const BufferRef& m) {
  w.number(m.id);
  w.number(static_cast<std::uint8_t>(m.access));
}
void write(Writer& w, const Literal& m) {
  w.number(m.bits);
  w.number(static_cast<std::uint8_t>(m.scalar));
}
void write(Writer& w, const LaunchStage& m) {
  w.number(std::uint64_t{m.scalars.size()});
  for (const Literal& scalar : m.scalars) write(w, scalar);
  write(w, m.shape);
}
void write(Writer& w, const Launch& m) {
  w.number(m.kernel);
  w.number(std::uint64_t{m.arguments.size()});
  for (const auto& argument : m.arguments) {
    w.number(static_cast<std::uint8_t>(argument.index()));
    std::visit([&](const auto& one) { write(w, one); }, argument);
  }
  write(w, m.shape);
  w.number(m.launches);
  w.number(static_cast<std::uint8_t>(m.restore));
  w.number(std::uint8_t{m.announce});
  w.number(std::uint64_t{m.then.size()});
  for (const LaunchStage& stage : m.then) write(w, stage);
}
void write(Writer& w, const Read& m) {
  w.number(m.id);
  w.number(std::uint8_t{m.likely.has_value()});
  w.number(m.likely.value_or(0));
}
void write(Writer& /*w*/, const List& /*m*/) {}

void write(Writer& w, const device::Adapter& a) {
  for (const std::string* text : {&a.kind, &a.platform, &a.vendor, &a.name, &a.driver}) {
    w.text(*text);
  }
  w.number(std::uint8_t{a.is_cpu});
  w.number(a.limits.max_workgroup);
  write(w, a.limits.max_workgroup_dims);
  w.number(a.limits.shared_bytes);
  w.number(a.limits.max_buffer_bytes);
  w.number(a.limits.compute_units);
  w.number(a.limits.preferred_multiple);
  w.number(std::uint8_t{a.limits.has_f64});
}
void write(Writer& w, const Opened& m) {
  write(w, m.adapter);
  w.number(static_cast<std::uint8_t>(m.language));
}
void write(Writer& /*w*/, const Done& /*m*/) {}
void write(Writer& /*w*/, const Started& /*m*/) {}
void write(Writer& w, const Launched& m) {
  for (const std::uint64_t ns : {m.timing.device_ns, m.timing.wall_ns, m.timing.cpu_ns}) {
    w.number(ns);
  }
}
void write(Writer& w, const Content& m) {
  w.number(std::uint8_t{m.is_likely});
  w.bytes(m.bytes);
  w.number(std::uint8_t{m.touched.has_value()});
  w.number(m.touched ? m.touched->offset : std::int64_t{0});
}
void write(Writer& w, const Failed& m) {
  w.number(static_cast<std::uint8_t>(m.error.kind));
  w.text(m.error.message);
}
void write(Writer& w, const Listed& m) {
  w.number(std::uint64_t{m.listing.devices.size()});
  for (const device::Listed& one : m.listing.devices) {
    w.text(one.which);
    write(w, one.adapter);
  }
  w.number(static_cast<std::uint8_t>(m.listing.opencl));
  w.text(m.listing.why_no_opencl);
  w.text(m.listing.what_to_install);
}

void read(Reader& r, Open& m) {
  m.device = r.text();
  m.guards = r.flag();
}
void read(Reader& r, Put& m) {
  m.id = r.number<Id>();
  const auto content = r.bytes();
  m.content = data({content.begin(), content.end()});
  m.in_buffer = r.flag();
}
void read(Reader& r, Drop& m) { m.id = r.number<Id>(); }
void read(Reader& r, Build& m) {
  m.id = r.number<Id>();
  for (std::string* text : {&m.source, &m.entry, &m.options}) *text = r.text();
  read_each(r, max_later_stages, [&] { m.then.push_back(r.text()); });
}
Literal read_literal(Reader& r) {
  const auto bits = r.number<std::uint64_t>();
  return Literal{.scalar = r.one_of(Scalar::i64), .bits = bits};
}
std::variant<BufferRef, Literal> read_argument(Reader& r) {
  if (!r.flag()) {
    const Id id = r.number<Id>();
    return BufferRef{id, r.one_of(Access::read_write)};
  }
  return read_literal(r);
}
LaunchStage read_launch_stage(Reader& r) {
  LaunchStage m;
  read_each(r, max_arguments, [&] { m.scalars.push_back(read_literal(r)); });
  m.shape = read_shape(r);
  return m;
}
void read(Reader& r, Launch& m) {
  m.kernel = r.number<Id>();
  read_each(r, max_arguments, [&] { m.arguments.push_back(read_argument(r)); });
  m.shape = read_shape(r);
  m.launches = r.number<std::uint32_t>();
  m.restore = r.one_of(Restore::all);
  m.announce = r.flag();
  read_each(r, max_later_stages, [&] { m.then.push_back(read_launch_stage(r)); });
}
void read(Reader& r, Read& m) {
  m.id = r.number<Id>();
  const bool given = r.flag();
  const auto likely = r.number<Id>();
  if (given) m.likely = likely;
}
void read(Reader& /*r*/, List& /*m*/) {}

void read(Reader& r, device::Adapter& a) {
  for (std::string* text : {&a.kind, &a.platform, &a.vendor, &a.name, &a.driver}) {
    *text = r.text();
  }
  a.is_cpu = r.flag();
  a.limits.max_workgroup = r.number<std::uint32_t>();
  a.limits.max_workgroup_dims = read_extent(r);
  a.limits.shared_bytes = r.number<std::uint64_t>();
  a.limits.max_buffer_bytes = r.number<std::uint64_t>();
  a.limits.compute_units = r.number<std::uint32_t>();
  a.limits.preferred_multiple = r.number<std::uint32_t>();
  a.limits.has_f64 = r.flag();
}
void read(Reader& r, Opened& m) {
  read(r, m.adapter);
  m.language = r.one_of(Language::cuda_c);
}
void read(Reader& /*r*/, Done& /*m*/) {}
void read(Reader& /*r*/, Started& /*m*/) {}
void read(Reader& r, Launched& m) {
  for (std::uint64_t* ns : {&m.timing.device_ns, &m.timing.wall_ns, &m.timing.cpu_ns}) {
    *ns = r.number<std::uint64_t>();
  }
}
void read(Reader& r, Content& m) {
  m.is_likely = r.flag();
  const auto content = r.bytes();
  m.bytes.assign(content.begin(), content.end());
  const bool touched = r.flag();
  const auto offset = r.number<std::int64_t>();
  if (touched) m.touched = device::Touched{offset};
}
void read(Reader& r, Failed& m) {
  m.error.kind = r.one_of(ErrorKind::timeout);
  m.error.message = r.text();
}
void read(Reader& r, Listed& m) {
  read_each(r, max_devices, [&] {
    device::Listed& one = m.listing.devices.emplace_back();
    one.which = r.text();
    read(r, one.adapter);
  });
  m.listing.opencl = r.one_of(device::OpenclState::ready);
  m.listing.why_no_opencl = r.text();
  m.listing.what_to_install = r.text();
}

template <class Message>
std::vector<std::byte> encode_any(const Message& message) {
  Writer w;
  w.number(static_cast<std::uint8_t>(message.index()));
  std::visit([&](const auto& one) { write(w, one); }, message);
  return w.take();
}

template <class Message, std::size_t... Indices>
std::optional<Message> decode_any(std::span<const std::byte> bytes,
                                  std::index_sequence<Indices...> /*all*/) {
  Reader r(bytes);
  const auto index = r.number<std::uint8_t>();
  std::optional<Message> message;
  const auto try_as = [&]<std::size_t Index>() {
    if (index != Index) return;
    read(r, std::get<Index>(message.emplace(std::in_place_index<Index>)));
  };
  (try_as.template operator()<Indices>(), ...);
  if (!r.at_end()) message.reset();
  return message;
}

template <class Message>
std::optional<Message> decode_any(std::span<const std::byte> bytes) {
  return decode_any<Message>(bytes, std::make_index_sequence<std::variant_size_v<Message>>());
}

}  // namespace

std::vector<std::byte> encode(const Request& request) { return encode_any(request); }
std::vector<std::byte> encode(const Answer& answer) { return encode_any(answer); }
std::optional<Request> decode_request(std::span<const std::byte> bytes) {
  return decode_any<Request>(bytes);
}
std::optional<Answer> decode_answer(std::span<const std::byte> bytes) {
  return decode_any<Answer>(bytes);
}

}  // namespace vyre::worker
