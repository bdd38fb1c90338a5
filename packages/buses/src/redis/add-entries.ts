import type { Redis as Client } from 'ioredis'

/** One stream entry and the key that marks its id as published. */
export interface Entry {
  /** The key that exists while the id counts as published. */
  readonly idKey: string
  /** Alternating field names and values. */
  readonly fields: readonly string[]
  /** Approximate size in bytes. */
  readonly bytes: number
}

interface Stream {
  readonly key: string
  /** How long an id counts as published, in milliseconds. */
  readonly windowMs: number
  /** Approximate maximum number of entries in the stream. */
  readonly maxEntries: number
}

/** The result of one entry: 1 if it was added, 0 if its id was known, otherwise an error message of Redis. */
type AddResult = 0 | 1 | string

const maxRunEntries = 100
const maxRunBytes = 1024 * 1024

/**
 * The script sets the id key only after XADD has succeeded, so a failed entry does not count as published. On a replica,
 * the script itself fails with READONLY, so that the connection notices the replica.
 */
const lua = `
local stream, windowMs, maxEntries = KEYS[1], ARGV[1], ARGV[2]
local results, position = {}, 3
for index = 2, #KEYS do
  local idKey, first, last = KEYS[index], position + 1, position + ARGV[position]
  local result = 0
  if redis.call('EXISTS', idKey) == 0 then
    result = redis.pcall('XADD', stream, 'MAXLEN', '~', maxEntries, '*', unpack(ARGV, first, last))
    if result.err and string.find(result.err, 'READONLY') then return result end
    if not result.err then result = redis.pcall('SET', idKey, '', 'PX', windowMs) end
    result = result.err or 1
  end
  results[index - 1] = result
  position = last + 1
end
return results`

interface Scripted {
  sallyportAdd(keys: number, ...keysAndArguments: readonly (string | number)[]): Promise<AddResult[]>
}

/** Splits entries into script runs. A run blocks the server for about a millisecond. A larger entry gets its own run. */
export function splitIntoRuns(entries: readonly Entry[]): Entry[][] {
  const runs: Entry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const current = runs.at(-1)
    bytes += entry.bytes
    if (current === undefined || current.length === maxRunEntries || bytes > maxRunBytes) {
      runs.push([entry])
      bytes = entry.bytes
    } else current.push(entry)
  }
  return runs
}

/** Adds entries in one run of the script and returns one result per entry, in the same order. */
export function addEntries(client: Client, stream: Stream, entries: readonly Entry[]): Promise<AddResult[]> {
  // defineCommand sends the source of the script again for every definition.
  if (!('sallyportAdd' in client)) client.defineCommand('sallyportAdd', { lua })
  return (client as Client & Scripted).sallyportAdd(
    entries.length + 1,
    stream.key,
    ...entries.map(({ idKey }) => idKey),
    ...[stream.windowMs, stream.maxEntries],
    ...entries.flatMap(({ fields }) => [fields.length, ...fields]),
  )
}
