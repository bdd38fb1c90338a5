import { SallyportError } from '@sallyport/errors'
import { untilAborted } from '@sallyport/internal/deadline'
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { integerOption } from '../options.ts'
import type { ApiRequest } from './api-request.ts'

/** A body that is not JSON, from `streamBody` or `multipartBody`. The handler receives its output. */
export interface RequestBody<Input = unknown, Output = Input> extends StandardSchemaV1<Input, Output> {
  readonly mediaType: string
  /** The schema of the body for documents and validation. */
  readonly schema: StandardSchemaV1<Input, Output>
  /** Reads the input of the schema. */
  readonly read: (request: ApiRequest) => Promise<unknown>
}

/** Reports whether a body is a `RequestBody` rather than the schema of a JSON body. */
export function isRequestBody(body: StandardSchemaV1 | undefined): body is RequestBody {
  return body !== undefined && 'mediaType' in body && 'read' in body
}

/** Returns the schema of a body of any kind. */
export function getBodySchema(body: StandardSchemaV1): StandardSchemaV1 {
  return isRequestBody(body) ? body.schema : body
}

/** The time between two chunks of a body, in milliseconds. */
const chunkTimeoutMs = 10_000

export interface StreamBodyOptions {
  /** Largest body in bytes. */
  readonly limit: number
  /** @default 'application/octet-stream' */
  readonly mediaType?: string
}

/**
 * Creates the declaration of a body that the handler reads as a stream.
 *
 * The stream fails with 413 over `limit` bytes, with 408 after 10 seconds without data, and with 400 if the client disconnects.
 * A handler that lets the error pass answers with this status. The `timeoutMs` of the API includes the time of the upload.
 *
 * @example
 * ```ts
 * import { createWriteStream } from 'node:fs'
 * import { Writable } from 'node:stream'
 * import { createRouteGroup, streamBody } from '@sallyport/rest'
 *
 * const route = createRouteGroup()
 * const body = streamBody({ limit: 1_000_000_000 })
 * const putBackup = route.put('/backup', { operationId: 'putBackup', body }, ({ body }) =>
 *   body.pipeTo(Writable.toWeb(createWriteStream('backup'))),
 * )
 * ```
 */
export function streamBody({
  limit,
  mediaType = 'application/octet-stream',
}: StreamBodyOptions): RequestBody<ReadableStream<Uint8Array>> {
  integerOption('limit', limit, 1)
  const describe = () => ({ type: 'string', format: 'binary' })
  const schema: StandardSchemaV1<ReadableStream<Uint8Array>> & StandardJSONSchemaV1 = {
    '~standard': {
      version: 1,
      vendor: 'sallyport',
      validate: (value) => ({ value: value as ReadableStream<Uint8Array> }),
      jsonSchema: { input: describe, output: describe },
    },
  }
  return {
    ...schema,
    mediaType,
    schema,
    read: (request) => {
      requireMediaType(request, mediaType)
      const chunks = readChunks(request, limit)
      const stream = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const { done, value } = await chunks.next()
            if (done === true) controller.close()
            else controller.enqueue(value)
          },
          async cancel() {
            await chunks.return(undefined)
          },
        },
        { highWaterMark: 0 },
      )
      return Promise.resolve(stream)
    },
  }
}

/** @throws SallyportError 415 `UNSUPPORTED_MEDIA_TYPE` for another type, and for a Content-Encoding */
export function requireMediaType({ header }: ApiRequest, mediaType: string): void {
  const [type = ''] = (header('content-type') ?? '').toLowerCase().split(';')
  const encoding = (header('content-encoding') ?? 'identity').toLowerCase()
  if (type.trim() !== mediaType || encoding !== 'identity') {
    throw new SallyportError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the body as ${mediaType}, without a Content-Encoding`,
    )
  }
}

/**
 * Reads a body in chunks. The rest of the body is discarded when the reader stops.
 *
 * @throws SallyportError 413 `PAYLOAD_TOO_LARGE`, 408 `REQUEST_TIMEOUT`, 400 `BAD_REQUEST`
 */
export async function* readChunks(request: ApiRequest, limit: number): AsyncGenerator<Uint8Array, undefined> {
  if (!request.hasBody) return undefined
  const createError = () =>
    new SallyportError('PAYLOAD_TOO_LARGE', `The body may have at most ${limit} bytes`)
  if (Number(request.header('content-length') ?? 0) > limit) throw createError()
  const reader = request.streamBody().getReader()
  let left = limit
  try {
    for (;;) {
      const timeout = AbortSignal.timeout(chunkTimeoutMs)
      const { done, value } = await untilAborted(reader.read(), timeout).catch((cause: unknown) => {
        throw timeout.aborted
          ? new SallyportError('REQUEST_TIMEOUT', 'The body took too long to arrive')
          : new SallyportError('BAD_REQUEST', 'The body could not be read', { cause })
      })
      if (done) return undefined
      left -= value.length
      if (left < 0) throw createError()
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
