-- Produces the load in one thread of wrk: the accounts of account-source.ts, counted on from where they stood.

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

local function refuse(status, _, body)
  if status ~= 200 or body ~= '{"success":true}' then failures = failures + 1 end
end

function init(arguments)
  local path, key, checked
  path, key, prefix, mix, checked = unpack(arguments, 1, 5)
  head = format(HEAD, path, key)
  records, stride, changed_licenses = unpack(arguments, 6, 8)
  records, stride, changed_licenses = tonumber(records), tonumber(stride), tonumber(changed_licenses)
  -- Global, because that is what `done` can read.
  created, changes, walked, span = unpack(arguments, 9, 12)
  created, changes, walked, span = tonumber(created), tonumber(changes), tonumber(walked), tonumber(span)
  failures = 0
  -- Only where it is asked for: with it, wrk hands each header of each answer to Lua.
  if checked == "true" then response = refuse end
end

local function record(id, licenses)
  return format(RECORD, prefix, id, id % 100, id, licenses, id % 2 == 0 and "true" or "false")
end

local function next_account()
  if mix == "new" or (mix == "mixed" and (created + changes) % 2 == 0) then
    created = created + 1
    return record(created, created)
  end
  walked = walked + 1
  local id = 1 + (walked * stride) % span
  if mix == "same" then return record(id, id) end
  changes = changes + 1
  return record(id, changed_licenses + changes)
end

local function next_request()
  if span - walked < records then
    walked, span = 0, created
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
  -- wrk asks once more than it sends, to see what the script makes; that one goes out first.
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
      .. '"counters":{"created":%d,"changes":%d,"walked":%d,"span":%d}}\n',
    summary.requests, lost + failed, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(90) / 1e3, latency:percentile(99) / 1e3,
    thread:get("created"), thread:get("changes"), thread:get("walked"), thread:get("span")
  ))
end
