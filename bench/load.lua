-- Produces the load in one thread of wrk. It generates the accounts of account-source.ts and continues its counters.

local RECORD = '{"account_id":"%s-%d","parent_account_id":"holding-%d","name":"Account number %d","licenses":%d,'
  .. '"custom_Is_Valid":%s,"custom_External_Created_On":"2021-05-31",'
  .. '"custom_External_Created_At":"2021-05-31T10:20:30Z"}'
local HEAD = "POST %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n"
  .. "Content-Type: application/json\r\nContent-Length: "
local format, concat = string.format, table.concat
local threads = {}
local head, prefix, mix, records, stride, changed_licenses
local accounts = {}

function setup(thread)
  threads[1] = thread
end

local function count_failure(status, _, body)
  if status ~= 200 or body ~= '{"success":true}' then failures = failures + 1 end
end

function init(arguments)
  local path, key, checked
  path, key, prefix, mix, checked = unpack(arguments, 1, 5)
  head = format(HEAD, path, key)
  records, stride, changed_licenses = unpack(arguments, 6, 8)
  records, stride, changed_licenses = tonumber(records), tonumber(stride), tonumber(changed_licenses)
  -- Global, because `done` can read only globals of the thread.
  created, changes, position, span = unpack(arguments, 9, 12)
  created, changes, position, span = tonumber(created), tonumber(changes), tonumber(position), tonumber(span)
  failures = 0
  -- Set only on request: with a `response` function, wrk passes each header of each response to Lua.
  if checked == "true" then response = count_failure end
end

local function record(id, licenses)
  return format(RECORD, prefix, id, id % 100, id, licenses, id % 2 == 0 and "true" or "false")
end

local function next_account()
  if mix == "new" or (mix == "mixed" and (created + changes) % 2 == 0) then
    created = created + 1
    return record(created, created)
  end
  position = position + 1
  local id = 1 + (position * stride) % span
  if mix == "same" then return record(id, id) end
  changes = changes + 1
  return record(id, changed_licenses + changes)
end

local function next_request()
  if span - position < records then
    position, span = 0, created
  end
  local body
  if records == 1 then
    body = next_account()
  else
    for i = 1, records do accounts[i] = next_account() end
    body = "[" .. concat(accounts, ",") .. "]"
  end
  return head .. #body .. "\r\n\r\n" .. body
end

local first
local is_sent = false

function request()
  -- wrk calls this once before it sends anything, to examine the result. That request is returned again as the first.
  if first == nil then
    first = next_request()
    return first
  end
  if not is_sent then
    is_sent = true
    return first
  end
  return next_request()
end

function done(summary, latency)
  local thread, errors = threads[1], summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  local failed = math.max(errors.status, thread:get("failures"))
  io.write(format(
    '\n{"requests":%d,"failures":%d,"seconds":%.6f,"p50":%.3f,"p90":%.3f,"p99":%.3f,'
      .. '"counters":{"created":%d,"changes":%d,"position":%d,"span":%d}}\n',
    summary.requests, lost + failed, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(90) / 1e3, latency:percentile(99) / 1e3,
    thread:get("created"), thread:get("changes"), thread:get("position"), thread:get("span")
  ))
end
