import type { Redis as Client } from 'ioredis'

/** What the stream is to hold, unless its id is known. */
export interface Entry {
  /** The key under which its id is known. */
  readonly known: string
  /** Names and values, which take turns. */
  readonly fields: readonly string[]
  /** About how large it is. */
  readonly bytes: number
}

interface Stream {
  readonly key: string
  /** How long ids are known, in milliseconds. */
  readonly windowMs: number
  /** Entries that it holds, roughly. */
  readonly kept: number
}

/** What became of an entry: 1 when it was added, 0 when its id was known, or what Redis said against it. */
type Added = 0 | 1 | string

const stepEntries = 100
const stepBytes = 1024 * 1024

/**
 * An id is kept last: an entry that the stream did not take is not known. That the server takes no writes at all, as a
 * replica, is the answer of the script itself, for the connection to hear of it.
 */
const lua = `
local stream, windowMs, kept = KEYS[1], ARGV[1], ARGV[2]
local answers, at = {}, 3
for index = 2, #KEYS do
  local known, first, last = KEYS[index], at + 1, at + ARGV[at]
  local answer = 0
  if redis.call('EXISTS', known) == 0 then
    answer = redis.pcall('XADD', stream, 'MAXLEN', '~', kept, '*', unpack(ARGV, first, last))
    if answer.err and string.find(answer.err, 'READONLY') then return answer end
    if not answer.err then answer = redis.pcall('SET', known, '', 'PX', windowMs) end
    answer = answer.err or 1
  end
  answers[index - 1] = answer
  at = last + 1
end
return answers`

interface Scripted {
  sallyportAdd(keys: number, ...keysAndArguments: readonly (string | number)[]): Promise<Added[]>
}

/** Portions that the server, which does nothing else meanwhile, adds in about a millisecond; what is larger is alone. */
export function inSteps(entries: readonly Entry[]): Entry[][] {
  const steps: Entry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const open = steps.at(-1)
    bytes += entry.bytes
    if (open === undefined || open.length === stepEntries || bytes > stepBytes) {
      steps.push([entry])
      bytes = entry.bytes
    } else open.push(entry)
  }
  return steps
}

/** Adds entries in one step, and answers for each in its order. */
export function addEntries(client: Client, stream: Stream, entries: readonly Entry[]): Promise<Added[]> {
  // Once: the source is sent again for every definition.
  if (!('sallyportAdd' in client)) client.defineCommand('sallyportAdd', { lua })
  return (client as Client & Scripted).sallyportAdd(
    entries.length + 1,
    stream.key,
    ...entries.map(({ known }) => known),
    ...[stream.windowMs, stream.kept],
    ...entries.flatMap(({ fields }) => [fields.length, ...fields]),
  )
}
