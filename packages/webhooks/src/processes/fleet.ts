import { formatList } from '../alerts/counts.ts'
import { nameProcess, type ProcessDependency, type ProcessState } from './store.ts'

/** The number of processes of a role. */
export interface FleetRole {
  readonly role: string
  readonly alive: number
  /** The processes whose heartbeat is overdue, without a clean stop. */
  readonly dead: number
}

/** A role without a living process: `dispatcher`, and those of a dead process. */
interface MissingRole {
  readonly role: string
  /** For operators. */
  readonly text: string
}

/** A dependency that is unavailable for at least one living process. */
interface FleetOutage {
  readonly name: string
  /** For operators, with the processes and the code of the failure. */
  readonly text: string
}

/** All processes together. */
export interface Fleet {
  readonly roles: readonly FleetRole[]
  readonly missing: readonly MissingRole[]
  readonly outages: readonly FleetOutage[]
  /** The notices of living processes, each with the processes that have it. */
  readonly notices: readonly { readonly text: string; readonly processes: readonly string[] }[]
}

/** Without a dispatcher, events are recorded and not published. */
const required = 'dispatcher'

/** Summarizes the heartbeats of all processes. Without any heartbeat, no role is missing. */
export function readFleet(states: readonly ProcessState[]): Fleet {
  const alive = states.filter(({ isDead }) => !isDead)
  const names = new Set(states.flatMap(({ roles }) => roles))
  if (states.length > 0) names.add(required)
  const roles = [...names].sort().map((role) => countRole(role, states))
  const missing = roles.filter((one) => one.alive === 0)
  return {
    roles,
    missing: missing.map(({ role }) => ({ role, text: describeMissing(role, states) })),
    outages: findOutages(alive),
    notices: findNotices(alive),
  }
}

function countRole(role: string, states: readonly ProcessState[]): FleetRole {
  const having = states.filter((state) => state.roles.includes(role))
  const dead = having.filter(({ isDead }) => isDead).length
  return { role, alive: having.length - dead, dead }
}

function describeMissing(role: string, states: readonly ProcessState[]): string {
  const dead = states.filter((one) => one.isDead && one.roles.includes(role))
  const last = dead.sort((one, other) => other.seenAt - one.seenAt)[0]
  const effect = role === required ? ' Events are recorded and not published.' : ''
  const seen =
    last === undefined
      ? ''
      : ` ${nameProcess(last)} sent the last heartbeat at ${new Date(last.seenAt).toISOString()}.`
  return `No process with the role ${role} runs.${effect}${seen}`
}

function findOutages(states: readonly ProcessState[]): readonly FleetOutage[] {
  const failures = states.flatMap((state) =>
    state.dependencies
      .filter(({ status }) => status === 'unavailable')
      .map((one) => [one.name, { state, ...one }] as const),
  )
  return group(failures).map(([name, seen]) => {
    const [first] = seen
    const text = first.detail ?? `The ${name} is unavailable`
    return { name, text: `${text}. Seen by ${formatList(seen.map(describeView))}.` }
  })
}

/** Joins equal notices. Those about a dependency are outages. */
function findNotices(states: readonly ProcessState[]): Fleet['notices'] {
  const notices = states.flatMap((state) =>
    state.notices
      .filter((text) => !state.dependencies.some(({ detail = '' }) => detail.includes(text)))
      .map((text) => [text, state] as const),
  )
  return group(notices).map(([text, having]) => ({ text, processes: having.map(nameProcess) }))
}

const describeView = ({ state, code }: ProcessDependency & { readonly state: ProcessState }): string =>
  nameProcess(state) + (code === undefined ? '' : ` (${code})`)

/** Groups values by their key, in the order of the first values. */
function group<Value>(
  pairs: readonly (readonly [key: string, value: Value])[],
): readonly (readonly [key: string, values: readonly [Value, ...Value[]]])[] {
  const groups = new Map<string, [Value, ...Value[]]>()
  for (const [key, value] of pairs) {
    const values = groups.get(key)
    if (values === undefined) groups.set(key, [value])
    else values.push(value)
  }
  return [...groups]
}
