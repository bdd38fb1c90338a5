import type { Buffer } from 'node:buffer'
import { Busboy } from '@fastify/busboy'
import { SallyportError } from '@sallyport/errors'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ApiRequest } from '../api/api-request.ts'
import { readChunks, requireMediaType, type RequestBody } from '../api/request-body.ts'
import { integerOption } from '../options.ts'
import { invalidInput } from '../validate.ts'

export interface MultipartBodyOptions {
  /** Largest body in bytes, which is held in memory. @default 10_485_760 */
  readonly limit?: number
  /** Largest number of fields and files. @default 100 */
  readonly maxParts?: number
  /** The fields that may repeat. Their value is an array, also of one part. @default none */
  readonly arrays?: readonly string[]
}

/** The longest name of a field or a file, in characters. */
const maxNameLength = 255

/**
 * Creates the declaration of a body with fields and files. The input of the schema has a string for each field and a `File` for
 * each file.
 *
 * The body is held in memory up to `limit`, so that the fields are known and validated before the handler runs. Use `streamBody`
 * for large files. The client chooses the `name` and the `type` of a file: do not use either as a path or as a proof of the
 * content.
 *
 * @throws TypeError for an option out of range
 * @see https://www.rfc-editor.org/rfc/rfc7578
 *
 * @example
 * ```ts
 * import { createRouteGroup } from '@sallyport/rest'
 * import { multipartBody } from '@sallyport/rest/multipart'
 * import { z } from 'zod'
 *
 * const route = createRouteGroup()
 * const form = z.strictObject({
 *   title: z.string().max(100),
 *   photos: z.array(z.file().max(2_000_000).mime(['image/png', 'image/jpeg'])),
 * })
 * const body = multipartBody(form, { arrays: ['photos'] })
 * const createAlbum = route.post('/albums', { operationId: 'createAlbum', body }, ({ body }) => {
 *   console.log(body.title, body.photos.length)
 * })
 * ```
 */
export function multipartBody<Input, Output>(
  schema: StandardSchemaV1<Input, Output>,
  { limit = 10_485_760, maxParts = 100, arrays = [] }: MultipartBodyOptions = {},
): RequestBody<Input, Output> {
  integerOption('limit', limit, 1)
  integerOption('maxParts', maxParts, 1)
  return {
    '~standard': schema['~standard'],
    mediaType: 'multipart/form-data',
    schema,
    async read(request) {
      requireMediaType(request, 'multipart/form-data')
      const form = await readForm(request, limit, maxParts)
      return collectParts(form, new Set(arrays))
    },
  }
}

interface Part {
  /** Undefined if the part has no name. */
  readonly name: string | undefined
  readonly value: string | File
}

async function readForm(request: ApiRequest, limit: number, maxParts: number): Promise<readonly Part[]> {
  const parser = createParser(request, limit, maxParts)
  const parts: Part[] = []
  let failure: SallyportError | undefined
  const finished = new Promise<void>((resolve) => {
    parser.on('finish', resolve).on('error', () => {
      failure ??= createFormError()
      resolve()
    })
  })
  parser
    .on('field', (name, value) => parts.push({ name, value }))
    .on('file', (name, stream, filename: string | undefined, _encoding, type) => {
      const chunks: Buffer[] = []
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => parts.push({ name, value: new File(chunks, filename ?? '', { type }) }))
        // The parser reports the error, too.
        .on('error', () => undefined)
    })
    .on('partsLimit', () => {
      failure ??= new SallyportError('PAYLOAD_TOO_LARGE', `The body may have at most ${maxParts} parts`)
    })
  for await (const chunk of readChunks(request, limit)) {
    // The limit bounds what the parser holds, so the parser needs no backpressure.
    parser.write(chunk)
    if (failure !== undefined) throw failure
  }
  parser.end()
  await finished
  if (failure !== undefined) throw failure
  return parts
}

function createParser({ header }: ApiRequest, limit: number, maxParts: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': header('content-type') ?? '' },
      limits: { parts: maxParts, fieldSize: limit, headerPairs: 20, headerSize: 16_384 },
    })
  } catch {
    throw createFormError()
  }
}

const createFormError = () =>
  new SallyportError('BAD_REQUEST', 'The body is not valid multipart/form-data, or has no boundary')

function collectParts(form: readonly Part[], arrays: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>()
  for (const name of arrays) values.set(name, [])
  const repeated = new Set<string>()
  for (const { name, value } of form) {
    if (name === undefined) throw new SallyportError('BAD_REQUEST', 'A part has no name')
    const filename = typeof value === 'string' ? '' : value.name
    if (name.length > maxNameLength || filename.length > maxNameLength) {
      throw new SallyportError('BAD_REQUEST', `A name has more than ${maxNameLength} characters`)
    }
    // A browser sends an empty file without a name if no file is chosen.
    if (typeof value !== 'string' && filename === '' && value.size === 0) continue
    if (arrays.has(name)) (values.get(name) as unknown[]).push(value)
    else if (values.has(name)) repeated.add(name)
    else values.set(name, value)
  }
  if (repeated.size > 0) {
    const details = [...repeated].map((field) => {
      return { code: 'DUPLICATE', field, in: 'body', message: 'Must be given only once' } as const
    })
    throw invalidInput('The request is not valid', details)
  }
  // Unlike an assignment, fromEntries makes a field of the name __proto__.
  return Object.fromEntries(values)
}
