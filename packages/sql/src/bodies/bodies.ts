import { SallyportError } from '@sallyport/errors'
import { integerOption } from '@sallyport/internal/options'
import { createSemaphore } from '@sallyport/internal/semaphore'
import type { Kysely, Selectable } from 'kysely'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { RunTransaction } from '../deliveries/transaction.ts'
import { sealBody } from '../encryption/seal.ts'
import type { StoredBody } from '../inbox/body.ts'
import { compress } from '../inbox/compress.ts'
import type { StoredDelivery } from '../inbox/stored.ts'
import { bodyUnavailable, overloaded } from '../internal/errors.ts'
import type { InboxTables } from '../internal/tables.ts'
import { unescapeText } from '../internal/text.ts'
import type { BodiesOptions, BodyStore } from './body-store.ts'
import { createCaller } from './caller.ts'
import { createReference, isReference, toKey } from './reference.ts'
import { portion, releaseUnused } from './unused.ts'

/** The columns of a stored body. */
export interface BodyRow {
  readonly encoding: StoredBody['encoding']
  readonly body: Uint8Array
}

/** A row whose data may be a reference to an object. */
export interface DataRow {
  readonly data_body: Uint8Array | null
  /** Why the object of the data cannot be read now. */
  readonly unavailable?: SallyportError
}

/** The bodies in the store. */
export interface Bodies {
  /** Stores a large body, and returns its reference; returns any other body unchanged. @throws SallyportError `BODY_UNAVAILABLE` */
  readonly save: (
    run: RunTransaction,
    delivery: StoredDelivery,
    body: Uint8Array,
  ) => Uint8Array | Promise<StoredBody>
  /** Replaces a reference by the body. @throws SallyportError `BODY_UNAVAILABLE`, `BODY_MISSING`, `BODY_CHANGED` */
  readonly open: (row: BodyRow) => Promise<BodyRow>
  /** Replaces references by the data. A row whose object was changed keeps its reference, which is unreadable. */
  readonly load: <Row extends DataRow>(rows: readonly Row[]) => Promise<readonly Row[]>
  /**
   * Deletes objects that no row refers to, up to 500, and returns whether more may remain. The next call continues after an error.
   *
   * @throws SallyportError `BODY_UNAVAILABLE`, and the errors of the database
   */
  readonly collect: (run: RunTransaction) => Promise<boolean>
}

/** How long a recorded delivery may take from its object to its commit, before the object is checked. */
const graceMs = 60 * 60 * 1000
const timeoutMs = 5000
/** The maximum bytes of bodies that wait for the store. */
const maxSavingBytes = 64 * 1024 * 1024

/** @throws TypeError for an option out of range */
export function createBodies(
  db: Kysely<InboxTables>,
  { store, above = 256 * 1024 }: Partial<BodiesOptions> = {},
): Bodies {
  integerOption('above', above, 0)
  // An object is in memory until its row is handled.
  const reading = createSemaphore({ limit: 8, maxWaiting: Infinity, onOverload: overloaded })
  const call = createCaller(timeoutMs)
  let savingBytes = 0

  async function saveLarge(
    { put }: BodyStore,
    run: RunTransaction,
    delivery: StoredDelivery,
    body: Uint8Array,
  ): Promise<StoredBody> {
    const reference = createReference()
    const { encoding, bytes: stored } = sealBody(await compress(body), delivery)
    const head = delivery.key?.head ?? null
    const bytes = stored.subarray(head?.byteLength ?? 0)
    const row = {
      reference,
      delivery: delivery.id,
      encoding,
      bytes: bytes.byteLength,
      sha256: hash(bytes),
      head,
    }
    // Before the object: a crash leaves no object that the collector does not know.
    await run(({ db: transaction, at }) =>
      transaction
        .insertInto('body_objects')
        .values({ ...row, check_at: at + graceMs })
        .execute(),
    )
    await call((signal) => put(toKey(reference), bytes, { signal })).catch((error: unknown) => {
      throw bodyUnavailable('The body is too large for the database, and its store does not answer', error)
    })
    return { encoding: 'object', bytes: reference, originalBytes: body.byteLength }
  }

  async function fetchObject(object: ObjectRow): Promise<BodyRow> {
    const { reference, delivery, encoding, bytes: maxBytes, sha256, head } = object
    const because = `of the delivery ${unescapeText(delivery)}`
    if (store === undefined)
      throw bodyUnavailable(`The body ${because} is in a store: open the database with it`)
    const found = await call((signal) => store.get(toKey(reference), { maxBytes, signal })).catch(
      (error: unknown) => {
        throw bodyUnavailable(`The store of the body ${because} does not answer`, error)
      },
    )
    if (found === undefined)
      throw new SallyportError('BODY_MISSING', `The store has no object of the body ${because}`)
    if (found.byteLength !== maxBytes || !timingSafeEqual(hash(found), sha256))
      throw new SallyportError('BODY_CHANGED', `The object of the body ${because} was changed`)
    return { encoding, body: head === null ? found : Buffer.concat([head, found]) }
  }

  /** Reads each object once, and returns them by their keys. */
  async function read(
    references: readonly Uint8Array[],
  ): Promise<ReadonlyMap<string, PromiseSettledResult<BodyRow>>> {
    const unique = [...new Map(references.map((reference) => [toKey(reference), reference])).values()]
    const rows = await db.selectFrom('body_objects').selectAll().where('reference', 'in', unique).execute()
    const reads = rows.map(async (row) => {
      const [object] = await Promise.allSettled([reading.run(() => fetchObject(row))])
      return [toKey(row.reference), object] as const
    })
    return new Map(await Promise.all(reads))
  }

  return {
    save(run, delivery, body) {
      const size = body.byteLength
      if (store === undefined || size <= above) return body
      if (savingBytes > 0 && savingBytes + size > maxSavingBytes) throw overloaded()
      savingBytes += size
      return saveLarge(store, run, delivery, body).finally(() => {
        savingBytes -= size
      })
    },

    async open(row) {
      if (row.encoding !== 'object') return row
      const object = (await read([row.body])).get(toKey(row.body))
      if (object?.status === 'fulfilled') return object.value
      throw object?.reason ?? bodyUnavailable('The row of the body was deleted')
    },

    async load(rows) {
      const references = rows.flatMap(({ data_body }) => (refers(data_body) ? [data_body] : []))
      if (references.length === 0) return rows
      const objects = await read(references)
      return rows.map((row) => {
        const object = refers(row.data_body) ? objects.get(toKey(row.data_body)) : undefined
        if (object === undefined) return row
        if (object.status === 'fulfilled') return { ...row, data_body: object.value.body }
        const { reason } = object as { readonly reason: SallyportError }
        return reason.code === 'BODY_CHANGED' ? row : { ...row, unavailable: reason }
      })
    },

    async collect(run) {
      if (store === undefined) return false
      const checked = await run(releaseUnused)
      const unused = await db.selectFrom('unused_objects').select('reference').limit(portion).execute()
      if (unused.length > 0) {
        const references = unused.map(({ reference }) => reference)
        await call((signal) => store.delete(references.map(toKey), { signal })).catch((error: unknown) => {
          throw bodyUnavailable('The store does not delete the bodies of deleted deliveries', error)
        })
        await db.deleteFrom('unused_objects').where('reference', 'in', references).execute()
      }
      return checked === portion || unused.length === portion
    },
  }
}

type ObjectRow = Selectable<InboxTables['body_objects']>

const refers = (data: Uint8Array | null): data is Uint8Array => data !== null && isReference(data)

const hash = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

/** Throws the error of a store that does not answer. Rows whose object is missing are unreadable. @throws SallyportError `BODY_UNAVAILABLE` */
export function requireAvailable<Row extends DataRow>(rows: readonly Row[]): readonly Row[] {
  for (const { unavailable } of rows) if (unavailable?.code === 'BODY_UNAVAILABLE') throw unavailable
  return rows
}
