import { SallyportError } from '@sallyport/errors'
import type { ApiContext } from '../api/api-context.ts'
import { checkPreconditions, type ETag } from '../conditional.ts'
import { formatContentDisposition } from './content-disposition.ts'

/** The first and the last byte of a range; both are part of the range. */
interface DownloadRange {
  readonly start: number
  readonly end: number
}

/** Bytes that a client may download in part. */
export interface Download {
  /** The number of bytes. */
  readonly size: number
  /**
   * Returns the bytes of a range, such as `createReadStream(path, range)`. Called at most once, and only if bytes are sent: not
   * for HEAD, 304 and empty downloads.
   */
  readonly open: (range: DownloadRange) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
  /** A strong ETag. Without it, a client cannot continue an interrupted download safely. */
  readonly etag?: ETag
  /** @default the media type that the route declares */
  readonly mediaType?: string
  /** The name that the client saves the bytes under. @default the client chooses a name */
  readonly filename?: string
  /** Whether the client saves or shows the bytes. @default 'attachment' */
  readonly disposition?: 'attachment' | 'inline'
}

/** The result of a route that declares the responses 200 and 206 with a media type. */
export interface DownloadResult {
  readonly status: 200 | 206
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReadableStream<Uint8Array>
}

/**
 * Answers a download: 200 with all bytes, or 206 with the range that the client requests. Several ranges are answered 200.
 * `If-Range` and `If-Match` are honored here, `If-None-Match` by the API.
 *
 * The stream ends with an error if `open` returns another number of bytes.
 *
 * @throws SallyportError 416 `RANGE_NOT_SATISFIABLE` for a range after the last byte; 412 `PRECONDITION_FAILED`
 * @throws TypeError if `size` is not a number of bytes
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { stat } from 'node:fs/promises'
 * import { createRouteGroup, formatETag } from '@sallyport/rest'
 * import { answerDownload } from '@sallyport/rest/download'
 *
 * const route = createRouteGroup({ access: 'public', etag: true })
 * const getManual = route.get(
 *   '/manual',
 *   {
 *     operationId: 'getManual',
 *     responses: {
 *       200: { description: 'The manual', mediaType: 'application/pdf' },
 *       206: { description: 'A part of the manual', mediaType: 'application/pdf' },
 *     },
 *     errors: ['RANGE_NOT_SATISFIABLE'],
 *   },
 *   async (_, context) => {
 *     const { size, mtimeMs } = await stat('manual.pdf')
 *     return answerDownload(context, {
 *       size,
 *       etag: formatETag(mtimeMs),
 *       filename: 'manual.pdf',
 *       open: (range) => createReadStream('manual.pdf', range),
 *     })
 *   },
 * )
 * ```
 */
export function answerDownload(
  { conditions, header }: Pick<ApiContext, 'conditions' | 'header'>,
  { size, open, etag, mediaType, filename, disposition = 'attachment' }: Download,
): DownloadResult {
  if (!Number.isSafeInteger(size) || size < 0) throw new TypeError('size must be a number of bytes')
  checkPreconditions({ ...conditions, etag })
  const isCurrent = isCurrentRange(header('if-range'), etag)
  const range = conditions.method === 'GET' && isCurrent ? parseRange(header('range'), size) : undefined
  const { start, end } = range ?? { start: 0, end: size - 1 }
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      'Accept-Ranges': 'bytes',
      'Content-Length': String(end - start + 1),
      'Content-Disposition': formatContentDisposition(disposition, filename),
      ...(range !== undefined && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
      ...(mediaType !== undefined && { 'Content-Type': mediaType }),
      ...(etag !== undefined && { ETag: etag, 'Cache-Control': 'private, no-cache' }),
      Vary: 'Authorization, Accept',
    },
    body: openLazily(open, { start, end }),
  }
}

/** A weak tag or a date does not prove that the bytes are the same. */
function isCurrentRange(ifRange: string | undefined, etag: string | undefined): boolean {
  return ifRange === undefined || (ifRange === etag && !etag.startsWith('W/'))
}

/** Parses a single range; undefined if the server has to send everything. */
function parseRange(header: string | undefined, size: number): DownloadRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  if (start > end) {
    throw new SallyportError('RANGE_NOT_SATISFIABLE', `The range is outside of the ${size} bytes`, {
      headers: { 'Content-Range': `bytes */${size}` },
    })
  }
  return { start, end }
}

function openLazily(open: Download['open'], range: DownloadRange): ReadableStream<Uint8Array> {
  let left = range.end - range.start + 1
  let chunks: AsyncIterator<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left > 0) {
          chunks ??= (await open(range))[Symbol.asyncIterator]()
          const next = await chunks.next()
          const length = next.done === true ? 0 : next.value.byteLength
          // Other bytes would be read as the next response of the connection.
          if (next.done === true || length > left) {
            await chunks.return?.()
            throw new Error('open returned another number of bytes than the range')
          }
          left -= length
          controller.enqueue(next.value)
        }
        if (left === 0) {
          await chunks?.return?.()
          controller.close()
        }
      },
      async cancel() {
        await chunks?.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
