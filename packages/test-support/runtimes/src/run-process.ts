import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SuiteInput } from './suite/process.ts'

const suite = fileURLToPath(new URL('suite/process.ts', import.meta.url))

/** Timeout of the suite, which takes seconds. */
const limitMs = 120_000

/** Runs the suite in a separate process with a minimal environment. */
export async function runProcess(
  program: string,
  args: readonly string[],
  input: SuiteInput,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-runtime-'))
  try {
    const file = join(folder, 'input.json')
    await writeFile(file, JSON.stringify(input))
    const child = spawn(program, [...args, suite, file], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        DENO_NO_UPDATE_CHECK: '1',
        DO_NOT_TRACK: '1',
        NO_COLOR: '1',
      },
      signal: AbortSignal.timeout(limitMs),
      killSignal: 'SIGKILL',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    // The output shows the error, and the caller judges the output.
    await once(child, 'close').catch((error: unknown) => (output += String(error)))
    return output
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
