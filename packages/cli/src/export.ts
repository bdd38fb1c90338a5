import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from './connection.ts'
import { getRecordedHeaders, getRecordedQuery } from './forward/forward-delivery.ts'
import { fetchDelivery } from './forward/sources.ts'
import { CommandError, failure, success, usage, tryParseJson, type Io } from './io.ts'

export interface ExportOptions {
  /** The folder of the files. */
  readonly output: string
  readonly url?: string
  readonly token?: string
}

/**
 * Writes a recorded delivery to three files: the headers, the bytes of the body, and a sample of a provider.
 *
 * @throws CommandError if the delivery has no body, or a file cannot be written
 */
export async function exportDelivery(id: string, options: ExportOptions, io: Io): Promise<number> {
  const delivery = await fetchDelivery(await connect(options, io), id, io)
  const { bytes, kind = null } = delivery
  if (bytes === undefined)
    throw new CommandError(failure, `The body of the delivery is ${String(delivery['body_state'])}`)
  const headers = getRecordedHeaders(delivery)
  const text = bytes.toString()
  const sample = { kind, headers, body: tryParseJson(text) ?? text }
  const query = getRecordedQuery(delivery)
  // `send` and `verify` skip a request line.
  const requestLine = query === '' ? '' : `POST /webhooks/${delivery.provider}?${query} HTTP/1.1\n`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  const files = [
    ['headers', requestLine + lines.join('')],
    ['body', bytes],
    ['sample.json', `${JSON.stringify(sample, null, 2)}\n`],
  ] as const
  // The id is a part of a path.
  const name = encodeURIComponent(delivery.id)
  for (const [extension, content] of files) {
    const path = join(options.output, `${name}.${extension}`)
    await write(options.output, path, content)
    io.out(path)
  }
  return success
}

async function write(folder: string, path: string, content: string | Uint8Array): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    // A body may have personal data.
    await writeFile(path, content, { mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(usage, `${path} cannot be written (${code ?? 'unknown'})`)
  }
}
