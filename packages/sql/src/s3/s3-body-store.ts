import type * as S3 from '@aws-sdk/client-s3'
import { SallyportError } from '@sallyport/errors'
import { createLastOutcome } from '@sallyport/internal/last-outcome'
import type { BodyStore } from '../bodies/body-store.ts'
import { readS3Url } from './s3-url.ts'

export interface S3BodyStoreOptions {
  /**
   * `s3://bucket/prefix?region=eu-central-1`, or with `endpoint=https://host:9000` for another service than that of AWS, whose
   * buckets are then addressed by path. Credentials, and a region that is not given, come from the environment, as for every
   * client of AWS.
   */
  readonly url: string
  /** Further options of the client. */
  readonly clientOptions?: S3.S3ClientConfig
}

/** A store of bodies in a bucket. */
export interface S3BodyStore extends BodyStore {
  /** Resolves if the service answers for the bucket within two seconds; otherwise rejects with the reason. */
  readonly ping: () => Promise<void>
  /** Why the last call failed, for 30 seconds. */
  readonly getFailure: () => string | undefined
  /** Closes the connections. */
  readonly close: () => void
}

/** Longer than the interval of a load balancer's health check. */
const failureWindowMs = 30_000
/** As long as a check of the readiness waits. A ping that hangs keeps one of the connections of the client. */
const pingMs = 2000

/**
 * Creates a store of bodies over `@aws-sdk/client-s3`, which it loads at the first call.
 *
 * @throws TypeError for another form of the URL
 *
 * @example
 * ```ts
 * import { createS3BodyStore } from '@sallyport/sql/s3'
 * import { openSqlite } from '@sallyport/sql/sqlite'
 *
 * const store = createS3BodyStore({ url: 's3://acme-webhooks/bodies?region=eu-central-1' })
 * const database = await openSqlite({ path: './data/sallyport.db', bodies: { store } })
 * ```
 */
export function createS3BodyStore({ url, clientOptions }: S3BodyStoreOptions): S3BodyStore {
  const { bucket: Bucket, prefix, region, endpoint } = readS3Url(url)
  const last = createLastOutcome(failureWindowMs)
  let client: S3.S3Client | undefined

  async function send<T>(run: (module: typeof S3, client: S3.S3Client) => Promise<T>): Promise<T> {
    const module = await import('@aws-sdk/client-s3')
    client ??= new module.S3Client({
      // The caller waits for the answer, and tries again later.
      maxAttempts: 2,
      ...(region !== undefined && { region }),
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...clientOptions,
    })
    return await run(module, client)
  }

  const call = <T>(run: (module: typeof S3, client: S3.S3Client) => Promise<T>): Promise<T> =>
    last.track(
      send(run).catch((error: unknown) => {
        throw unavailable(error)
      }),
      { resolved: () => 'ok', rejected: (error) => ({ failure: (error as Error).message }) },
    )

  return {
    put: (key, bytes, { signal }) =>
      call(({ PutObjectCommand }, s3) =>
        s3.send(new PutObjectCommand({ Bucket, Key: prefix + key, Body: bytes }), { abortSignal: signal }),
      ),

    get: (key, { maxBytes, signal }) =>
      call(async ({ GetObjectCommand }, s3) => {
        try {
          const command = new GetObjectCommand({ Bucket, Key: prefix + key })
          const { Body } = await s3.send(command, { abortSignal: signal })
          return await readStart(Body as AsyncIterable<Uint8Array>, maxBytes)
        } catch (error) {
          if ((error as Error).name === 'NoSuchKey') return undefined
          throw error
        }
      }),

    delete: (keys, { signal }) =>
      call(async ({ DeleteObjectsCommand }, s3) => {
        const Objects = keys.map((key) => ({ Key: prefix + key }))
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })
        const { Errors: [failed] = [] } = await s3.send(command, { abortSignal: signal })
        if (failed !== undefined) throw Object.assign(new Error(), { code: failed.Code })
      }),

    async ping() {
      try {
        const abortSignal = AbortSignal.timeout(pingMs)
        await send(({ HeadBucketCommand }, s3) => s3.send(new HeadBucketCommand({ Bucket }), { abortSignal }))
      } catch (error) {
        // The permission to list the bucket is not needed.
        const { $metadata } = error as Partial<S3.S3ServiceException>
        if ($metadata?.httpStatusCode !== 403) throw unavailable(error)
      }
    },

    getFailure: last.getFailure,

    close() {
      client?.destroy()
    },
  }
}

/** Reads a stream until it ends or exceeds the limit: an object may have been replaced by a larger one. */
async function readStart(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length > maxBytes) break
  }
  return Buffer.concat(chunks)
}

const word = /^[\w.-]{1,100}$/

/** Names the reason by its code. Messages are left out, because they contain accounts and users. */
function unavailable(error: unknown): SallyportError {
  const { code, name, message } = Object(error) as Readonly<Record<string, unknown>>
  if (message === 'Region is missing')
    return new SallyportError('SERVICE_UNAVAILABLE', 'S3: set a region, such as AWS_REGION')
  if (name === 'AbortError') return new SallyportError('SERVICE_UNAVAILABLE', 'S3: no answer in time')
  const reason = [code, name].find((text): text is string => typeof text === 'string' && word.test(text))
  return new SallyportError('SERVICE_UNAVAILABLE', `S3: ${reason ?? 'no reason given'}`)
}
