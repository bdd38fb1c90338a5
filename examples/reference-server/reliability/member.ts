import { startServerProcess, type ServerProcess } from '../test/server-process.ts'

/** One place in a deployment: a process with a role, and after its end another one. */
export interface Member extends AsyncDisposable {
  readonly role: string
  /** Where the process listens that runs now, or ran last. */
  readonly base: string
  /** Whether the process runs. The others take over the work of a process that crashed, and would hide the crash. */
  readonly isRunning: boolean
  /** Ends its process, and answers its exit code; null when a signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Starts another process, which listens elsewhere. */
  start(): Promise<void>
}

async function startMember(role: string, environment: Record<string, string>): Promise<Member> {
  const run = () => startServerProcess({ ...environment, ROLE: role })
  let current: ServerProcess = await run()
  return {
    role,
    get base() {
      return current.base
    },
    get isRunning() {
      const { exitCode, signalCode } = current.child
      return exitCode === null && signalCode === null
    },
    end: (signal) => current.end(signal),
    async start() {
      current = await run()
    },
    [Symbol.asyncDispose]: () => current[Symbol.asyncDispose](),
  }
}

type Members<Roles extends readonly string[]> = { readonly [Place in keyof Roles]: Member } & AsyncDisposable

/** Starts all of them at once; when one does not start, none stays. */
export async function startMembers<const Roles extends readonly string[]>(
  roles: Roles,
  environment: Record<string, string>,
): Promise<Members<Roles>> {
  const started = await Promise.allSettled(roles.map((role) => startMember(role, environment)))
  const members = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const dispose = async () => {
    await Promise.all(members.map((member) => member[Symbol.asyncDispose]()))
  }
  for (const one of started) {
    if (one.status === 'fulfilled') continue
    await dispose()
    throw one.reason
  }
  // One for each role, in their order: or it was thrown.
  return Object.assign(members, { [Symbol.asyncDispose]: dispose }) as unknown as Members<Roles>
}
