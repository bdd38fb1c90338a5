import { SallyportError } from '@sallyport/errors'
import { callHook } from '@sallyport/internal/promises'
import { createEndpointId } from '../gateway/endpoint-id.ts'
import type { SecretCipher } from '../endpoints/store.ts'
import type { ManagedDestinationDeclaration } from '../filter/destination-schema.ts'
import type { Destination, DestinationSource } from '../ports/destination.ts'
import { openSealed, seal, type OpenedSeal } from './seal.ts'
import type { ManagedDestinationStore, SealedDestination } from './store.ts'
import { createUnopened } from './unopened.ts'

/** A destination of the store, without the values of its secrets. */
export interface ManagedDestination extends Omit<SealedDestination, 'sealed'> {
  readonly declaration: ManagedDestinationDeclaration
  /** Newest first. */
  readonly secrets: readonly { readonly id: string; readonly createdAt: number }[]
}

interface SaveOptions {
  /** Saves something in the transaction of the change. A rejection undoes the change. */
  readonly save?: ((saved: ManagedDestination, transaction: unknown) => Promise<void>) | undefined
}

interface VersionOptions {
  /** Changes the destination only if it has this version. */
  readonly version?: number | undefined
}

/** Destinations that operators create and change, in addition to declared ones. Every process sees a change within seconds. */
export interface ManagedDestinations extends DestinationSource {
  /** Lists the names of the stored destinations, also of those that cannot be opened. */
  names(): readonly string[]
  get(name: string): Promise<ManagedDestination | undefined>
  /**
   * @throws SallyportError `CONFLICT` (409) when the name is in use, `VALIDATION_ERROR` (400) for a declaration or a secret that
   *   cannot be used
   */
  create(
    declaration: ManagedDestinationDeclaration,
    secret: string,
    options?: SaveOptions,
  ): Promise<ManagedDestination>
  /**
   * Changes a declaration, but not its name. The function runs again after a concurrent change. Resolves to undefined for an
   * unknown name. @throws SallyportError as `create`, and 412
   */
  update(
    name: string,
    apply: (declaration: ManagedDestinationDeclaration) => ManagedDestinationDeclaration,
    options?: VersionOptions,
  ): Promise<ManagedDestination | undefined>
  /** Resolves to false for an unknown name. @throws SallyportError `PRECONDITION_FAILED` (412) for another version */
  delete(name: string, options?: VersionOptions): Promise<boolean>
  /** Adds a secret in front of the others, which sign too. Resolves to undefined for an unknown name. */
  addSecret(name: string, secret: string, options?: SaveOptions): Promise<ManagedDestination | undefined>
  /** Removes a secret. Resolves to false for an unknown name or secret. @throws SallyportError 409 for the last one */
  removeSecret(name: string, id: string): Promise<boolean>
  /** Reads the changes of other processes now. */
  refresh(): Promise<void>
  /** Stops reading changes, and closes the destinations. */
  close(): Promise<void>
}

/** A destination with connections. */
export interface ClosableDestination extends Destination {
  close(): Promise<void>
}

export interface ManagedDestinationsOptions {
  readonly store: ManagedDestinationStore
  readonly cipher: SecretCipher
  /** Opens a destination. @throws TypeError without secrets in the message */
  readonly open: (
    declaration: ManagedDestinationDeclaration,
    secrets: readonly string[],
  ) => ClosableDestination
  /** Further destinations, which operators cannot change. Their names are refused for new ones. */
  readonly declared: DestinationSource
  /** Called with an error of the store, and for a destination that cannot be opened. */
  readonly onError: (error: unknown) => unknown
  /** The interval between two reads of changes, in milliseconds. @default 2000 */
  readonly intervalMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

const most = { destinations: 1000, secrets: 10, attempts: 5 }
/** Running requests and their answers end within this time. In milliseconds. */
const closedAfterMs = 60_000

interface Opened {
  readonly sealed: string
  readonly destination: ClosableDestination | undefined
}

/** Opens the destinations of a store. @throws the error of the store */
export async function openManagedDestinations(
  options: ManagedDestinationsOptions,
): Promise<ManagedDestinations> {
  const { store, cipher, open, declared, onError, intervalMs = 2000, now = Date.now } = options
  const listeners = new Set<() => void>()
  let opened: ReadonlyMap<string, Opened> = new Map()
  let stamp: string | undefined
  let reading: Promise<void> = Promise.resolve()
  let all: readonly Destination[] = []
  const isDeclared = (name: string) => declared.list().some((one) => one.name === name)

  /** Each delivery reads the list. */
  function tell(): void {
    const names = new Set(declared.list().map(({ name }) => name))
    const stored = [...opened].flatMap(([name, { destination }]) =>
      destination === undefined || names.has(name) ? [] : [destination],
    )
    all = [...declared.list(), ...stored]
    for (const listener of listeners) listener()
  }

  declared.onChange(tell)

  async function openStored(record: SealedDestination): Promise<Opened> {
    const { sealed } = record
    const known = opened.get(record.name)
    // A destination that was deleted and created again can have the same version.
    if (known?.sealed === sealed) return known
    let content: OpenedSeal | undefined
    try {
      content = await openSealed(cipher, record)
      const values = content.secrets.map(({ value }) => value)
      return { sealed, destination: open(content.declaration, values) }
    } catch (error) {
      callHook(onError, error)
      return { sealed, destination: content && (await createUnopened(content.declaration)) }
    }
  }

  async function read(): Promise<void> {
    const found = await store.stamp()
    if (found === stamp) return
    const next = new Map<string, Opened>()
    for (const record of await store.list()) next.set(record.name, await openStored(record))
    const before = [...opened.values()]
    const kept = new Set([...next.values()].map(({ destination }) => destination))
    opened = next
    stamp = found
    tell()
    const replaced = before.flatMap(({ destination }) => destination ?? []).filter((one) => !kept.has(one))
    setTimeout(() => void closeAll(replaced), closedAfterMs).unref()
  }

  const refresh = () => (reading = reading.then(read, read))
  const find = async (name: string) => (await store.list()).find((one) => one.name === name)

  /** @throws SallyportError 400 for a declaration or secrets that cannot be used */
  function check({ declaration, secrets }: OpenedSeal): void {
    try {
      const values = secrets.map(({ value }) => value)
      void open(declaration, values).close()
    } catch (error) {
      throw new SallyportError('VALIDATION_ERROR', (error as Error).message)
    }
  }

  /** Replaces a destination by the result of a function, which runs again after a concurrent change. */
  async function change(
    name: string,
    apply: (content: OpenedSeal) => OpenedSeal | undefined,
    { version, save }: VersionOptions & SaveOptions = {},
  ): Promise<ManagedDestination | undefined> {
    for (let attempt = 0; attempt < most.attempts; attempt++) {
      const record = await find(name)
      if (record === undefined) return undefined
      checkVersion(record, version)
      const content = apply(await openSealed(cipher, record))
      if (content === undefined) return undefined
      check(content)
      const sealed = await seal(cipher, content)
      const next = { ...record, sealed, version: record.version + 1, updatedAt: now() }
      const saved = toManaged(next, content)
      if (await store.replace(next, record.version, save && ((one) => save(saved, one)))) {
        await refresh()
        return saved
      }
    }
    throw new SallyportError('CONFLICT', 'Other requests change this destination: try again')
  }

  const createSecret = (value: string) => ({ id: createEndpointId(), value, createdAt: now() })

  await refresh()
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => {
      callHook(onError, error)
    })
  }, intervalMs)
  timer.unref()

  return {
    list: () => all,
    names: () => [...opened.keys()],
    onChange(listener) {
      listeners.add(listener)
    },
    async get(name) {
      const record = await find(name)
      return record && toManaged(record, await openSealed(cipher, record))
    },
    async create(declaration, secret, { save } = {}) {
      const { name } = declaration
      if (isDeclared(name) || (await find(name)) !== undefined)
        throw new SallyportError('CONFLICT', 'The name of the destination is in use: choose another name')
      if (opened.size >= most.destinations)
        throw new SallyportError('CONFLICT', `There are at most ${most.destinations} destinations`)
      const content = { declaration, secrets: [createSecret(secret)] }
      check(content)
      const at = now()
      const sealed = await seal(cipher, content)
      const record = { name, sealed, version: 1, createdAt: at, updatedAt: at }
      const saved = toManaged(record, content)
      if (!(await store.insert(record, save && ((one) => save(saved, one)))))
        throw new SallyportError('CONFLICT', 'The name of the destination is in use: choose another name')
      await refresh()
      return saved
    },
    update: (name, apply, how) =>
      change(name, (content) => ({ ...content, declaration: apply(content.declaration) }), how),
    async delete(name, { version } = {}) {
      const record = await find(name)
      if (record === undefined) return false
      checkVersion(record, version)
      if (!(await store.delete(name, record.version)))
        throw new SallyportError('CONFLICT', 'Other requests change this destination: try again')
      await refresh()
      return true
    },
    addSecret: (name, secret, how) =>
      change(
        name,
        ({ declaration, secrets }) => {
          if (secrets.length >= most.secrets)
            throw new SallyportError('CONFLICT', `A destination has at most ${most.secrets} secrets`)
          return { declaration, secrets: [createSecret(secret), ...secrets] }
        },
        how,
      ),
    async removeSecret(name, id) {
      const changed = await change(name, ({ declaration, secrets }) => {
        const rest = secrets.filter((one) => one.id !== id)
        if (rest.length === 0)
          throw new SallyportError('CONFLICT', 'A destination needs a secret: add another one before')
        return rest.length === secrets.length ? undefined : { declaration, secrets: rest }
      })
      return changed !== undefined
    },
    refresh,
    async close() {
      clearInterval(timer)
      await closeAll([...opened.values()].flatMap(({ destination }) => destination ?? []))
    },
  }
}

const closeAll = async (destinations: readonly ClosableDestination[]) => {
  await Promise.allSettled(destinations.map((one) => one.close()))
}

const toManaged = (
  { name, version, createdAt, updatedAt }: SealedDestination,
  { declaration, secrets }: OpenedSeal,
): ManagedDestination => ({
  ...{ name, version, createdAt, updatedAt, declaration },
  secrets: secrets.map(({ id, createdAt: at }) => ({ id, createdAt: at })),
})

/** @throws SallyportError `PRECONDITION_FAILED` (412) */
function checkVersion(record: SealedDestination, version: number | undefined): void {
  if (version !== undefined && record.version !== version)
    throw new SallyportError('PRECONDITION_FAILED', 'The destination has changed: read the destination again')
}

/**
 * Encrypts all destinations with the newest key, and returns the number of changed ones.
 *
 * @throws Error for a destination that no key decrypts
 */
export async function reencryptDestinations(
  store: ManagedDestinationStore,
  cipher: SecretCipher,
): Promise<number> {
  let count = 0
  for (const record of (await store.list()).filter(({ sealed }) => !cipher.isCurrent(sealed))) {
    const sealed = await seal(cipher, await openSealed(cipher, record))
    const next = { ...record, sealed, version: record.version + 1 }
    if (await store.replace(next, record.version)) count++
  }
  return count
}
