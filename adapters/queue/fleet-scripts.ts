import { CANCEL } from './conversion-job.js';

/**
 * What must happen in Redis in one step. All go by Redis's own time: processes' clocks differ. Tiers are numbered from 1 in the
 * order of TIER_IDS; the first is the fast one.
 */

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Counts leases that have not ended; the capacity of a tier is the sum of those who take it. From KEYS[first] on by `loadKeys`. */
const LOADS = `
local function loads(first)
  local waiting, running, capacity, threads = {}, {}, {}, {}
  for i = 1, 3 do
    local at = first + 3 * (i - 1)
    for j = at, at + 2 do redis.call('ZREMRANGEBYSCORE', KEYS[j], '-inf', now) end
    waiting[i] = redis.call('ZCARD', KEYS[at])
    running[i] = redis.call('ZCARD', KEYS[at + 1])
    capacity[i], threads[i] = 0, 0
    for _, taker in ipairs(redis.call('ZRANGE', KEYS[at + 2], 0, -1)) do
      local slots, workers = string.match(taker, '|(%d+)|(%d+)$')
      capacity[i] = capacity[i] + tonumber(slots)
      threads[i] = threads[i] + tonumber(workers)
    end
  end
  return waiting, running, capacity, threads
end
`;

/** { waiting, running, capacity } of each tier, one after the other. KEYS: `loadKeys`. */
export const LOAD = `${NOW}${LOADS}
local waiting, running, capacity = loads(1)
local all = {}
for i = 1, 3 do
  for _, n in ipairs({ waiting[i], running[i], capacity[i] }) do table.insert(all, n) end
end
return all
`;

/** Until a tier has run something, a run is taken to last so long. */
const FIRST_GUESS_MS = 1000;
/** Of who was refused and told to come again; as `promised-places.ts` has them, with the reasons. */
const LEAD_MS = 3000;
const GRACE_MS = 2000;
const EARLY_MS = 50;
const MAX_REMEMBERED = 1000;
/** Turns begin anew past this, when nobody waits: BullMQ's priorities end at 2^21. */
const MANY_TURNS = 1_000_000;
/** Who has been away for so long is new. */
const TURN_MEMORY_MS = 600_000;

/**
 * Lets a conversion into the line of its tier or refuses it. Answers { 'IN', turn }, or { code, seconds until it may try again }.
 * Turns are those of `turns.ts`: everybody's next is one more than that before, but never below those taken lately, so that
 * callers alternate whatever each has in flight.
 * KEYS: the caller's leases, promised, turns, the caller's turn, means, then `loadKeys`.
 * ARGV: id, caller, most in flight, tier, waiting places, how long a lease is.
 */
export const ADMIT = `${NOW}${LOADS}
local id, caller, tier = ARGV[1], ARGV[2], tonumber(ARGV[4])
local places, lease = tonumber(ARGV[5]), now + tonumber(ARGV[6])
local waiting, running, capacity, threads = loads(6)
local function mean(i) return tonumber(redis.call('HGET', KEYS[5], i)) or ${FIRST_GUESS_MS} end
local function seconds(ms) return math.min(60, math.max(1, math.ceil(ms / 1000))) end

local work = mean(tier)
for i = 1, 3 do work = work + (waiting[i] + running[i]) * mean(i) end
local wait = seconds(work / math.max(1, capacity[tier]))
if capacity[tier] == 0 then return { 'AT_CAPACITY', wait } end

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return { 'API_KEY_BUSY', seconds(mean(tier)) } end

local free = math.min(capacity[tier] - running[tier], threads[tier] - running[1] - running[2] - running[3])
if tier > 1 then free = math.min(free, capacity[tier] - running[2] - running[3]) end
free = math.max(0, free)
if waiting[tier] >= free then
  local left = places - (waiting[tier] - free)
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ${GRACE_MS})
  local due = tonumber(redis.call('ZSCORE', KEYS[2], caller) or nil)
  if due and due - ${EARLY_MS} <= now and left > 0 then
    redis.call('ZREM', KEYS[2], caller)
  elseif left <= math.min(math.floor(places / 2), redis.call('ZCOUNT', KEYS[2], '-inf', now + ${LEAD_MS})) then
    if redis.call('ZCARD', KEYS[2]) < ${MAX_REMEMBERED} then redis.call('ZADD', KEYS[2], 'NX', now + wait * 1000, caller) end
    redis.call('PEXPIRE', KEYS[2], 120000)
    return { 'QUEUE_FULL', wait }
  end
end

local epoch = tonumber(redis.call('HGET', KEYS[3], 'epoch') or 0)
local latest = tonumber(redis.call('HGET', KEYS[3], 'latest') or 0)
if latest > ${MANY_TURNS} and waiting[tier] == 0 then
  epoch, latest = epoch + 1, 0
  redis.call('HSET', KEYS[3], 'epoch', epoch, 'latest', 0)
end
local turn = latest + 1
local known = string.match(redis.call('GET', KEYS[4]) or '', '^' .. epoch .. ':(%d+)$')
if known then turn = math.max(latest, tonumber(known), 1) end
redis.call('SET', KEYS[4], epoch .. ':' .. (turn + 1), 'PX', ${TURN_MEMORY_MS})
redis.call('ZADD', KEYS[1], lease, id)
redis.call('PEXPIRE', KEYS[1], 2 * tonumber(ARGV[6]))
redis.call('ZADD', KEYS[6 + 3 * (tier - 1)], lease, id)
return { 'IN', turn }
`;

/**
 * A worker takes a conversion up, or up again. Answers { 1, how many wait still, how long it had waited where it may begin
 * already, where its picture lies }, or { 0, how many wait still } where nobody wants it any more. KEYS: waiting, running, turns, the conversion. ARGV: id, turn, the worker's channel, how long a lease is.
 */
export const TAKE = `${NOW}
local lease = redis.call('ZSCORE', KEYS[1], ARGV[1])
if lease then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('ZADD', KEYS[2], lease, ARGV[1])
  local latest = tonumber(redis.call('HGET', KEYS[3], 'latest') or 0)
  if tonumber(ARGV[2]) > latest then redis.call('HSET', KEYS[3], 'latest', ARGV[2]) end
else
  lease = redis.call('ZSCORE', KEYS[2], ARGV[1])
end
local left = redis.call('ZCARD', KEYS[1])
if not lease or tonumber(lease) <= now then return { 0, left } end
redis.call('HSET', KEYS[4], 'taker', ARGV[3])
redis.call('PEXPIRE', KEYS[4], 2 * tonumber(ARGV[4]))
return { 1, left, redis.call('HGET', KEYS[4], 'go'), redis.call('HGET', KEYS[4], 'picture') }
`;

/** Says a word of a conversion, unless it was given up meanwhile; whoever has it already hears of it. KEYS: the conversion, waiting, running. ARGV: id, the word, what it says, how long a lease is. */
export const SAY = `
if not (redis.call('ZSCORE', KEYS[2], ARGV[1]) or redis.call('ZSCORE', KEYS[3], ARGV[1])) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], 2 * tonumber(ARGV[4]))
local taker = redis.call('HGET', KEYS[1], 'taker')
if taker then redis.call('PUBLISH', taker, ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. ARGV[3]) end
return 1
`;

/** For each conversion that a worker has: 1, how long it had waited where it may begin, and where its picture lies; or 0 where nobody wants it. KEYS: running and the conversion, of each. ARGV: ids. */
export const LOOK = `${NOW}
local all = {}
for i, id in ipairs(ARGV) do
  local lease = tonumber(redis.call('ZSCORE', KEYS[2 * i - 1], id) or 0)
  table.insert(all, {
    lease > now and 1 or 0,
    redis.call('HGET', KEYS[2 * i], 'go'),
    redis.call('HGET', KEYS[2 * i], 'picture')
  })
end
return all
`;

/** Renews the leases of conversions, and answers 1 for each that still has its own. KEYS: waiting, running, caller and the conversion, of each. ARGV: how long, ids. */
export const RENEW = `${NOW}
local lease = now + tonumber(ARGV[1])
local held = {}
for i = 2, #ARGV do
  local at, found = 4 * (i - 2), 0
  for j = 1, 2 do
    if redis.call('ZSCORE', KEYS[at + j], ARGV[i]) then
      redis.call('ZADD', KEYS[at + j], 'XX', lease, ARGV[i])
      found = 1
    end
  end
  if found == 1 then
    redis.call('ZADD', KEYS[at + 3], lease, ARGV[i])
    redis.call('PEXPIRE', KEYS[at + 3], 2 * tonumber(ARGV[1]))
    redis.call('PEXPIRE', KEYS[at + 4], 2 * tonumber(ARGV[1]))
  end
  table.insert(held, found)
end
return held
`;

/** Weight of the latest run in the mean by which waiting times are told. */
const LATEST_WEIGHT = 0.2;

/**
 * Ends a conversion, however it went. KEYS: waiting, running, the caller's leases, the caller's turn, means, the conversion.
 * ARGV: id, tier, how long it ran or nothing where it never did, 1 where its worker is to stop.
 */
export const END = `
for i = 1, 3 do redis.call('ZREM', KEYS[i], ARGV[1]) end
local taker = ARGV[4] == '1' and redis.call('HGET', KEYS[6], 'taker')
if taker then redis.call('PUBLISH', taker, ARGV[1] .. ' ${CANCEL}') end
redis.call('DEL', KEYS[6])
local ran = tonumber(ARGV[3])
if ran then
  local mean = tonumber(redis.call('HGET', KEYS[5], ARGV[2])) or ${FIRST_GUESS_MS}
  redis.call('HSET', KEYS[5], ARGV[2], tostring(mean + ${LATEST_WEIGHT} * (ran - mean)))
else
  local epoch, following = string.match(redis.call('GET', KEYS[4]) or '', '^(%d+):(%d+)$')
  if following and tonumber(following) > 1 then
    redis.call('SET', KEYS[4], epoch .. ':' .. (tonumber(following) - 1), 'PX', ${TURN_MEMORY_MS})
  end
end
return 1
`;

/** A worker says what it takes. KEYS: takers of each tier that it takes. ARGV: how long that holds, then its member of each. */
export const ANNOUNCE = `${NOW}
for i, key in ipairs(KEYS) do redis.call('ZADD', key, now + tonumber(ARGV[1]), ARGV[i + 1]) end
return 1
`;
