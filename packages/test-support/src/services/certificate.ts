import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Requirement } from './describe-needing.ts'

const run = promisify(execFile)

/** The requirement of a suite that creates certificates. */
export const openssl: Requirement<string> = {
  what: 'the command openssl',
  hint: 'install openssl',
  find: () =>
    run('openssl', ['version']).then(
      () => 'openssl',
      () => undefined,
    ),
}

/** A self-signed certificate for localhost and 127.0.0.1, which is also its own certificate authority. */
export interface Certificate extends AsyncDisposable {
  /** PEM. */
  readonly key: string
  /** PEM. */
  readonly cert: string
  /** The paths of both, until the certificate is disposed. */
  readonly files: { readonly key: string; readonly cert: string }
}

/** Creates a key and a certificate with `openssl`. */
export async function makeCertificate(command: string): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-certificate-'))
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2']
  await run(command, ['req', '-x509', ...kind, ...subject, '-keyout', files.key, '-out', files.cert])
  return {
    key: await readFile(files.key, 'utf8'),
    cert: await readFile(files.cert, 'utf8'),
    files,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
