import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The script that the bin starts in a checkout. Starting it directly saves a process. */
const main = ['--conditions=@sallyport/source', fileURLToPath(new URL('../src/main.ts', import.meta.url))]

interface Execution {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program without a terminal. */
export async function execute(
  args: readonly string[],
  { env, stdin = '' }: { readonly env: Readonly<Record<string, string>>; readonly stdin?: string },
): Promise<Execution> {
  const child = spawn(process.execPath, [...main, ...args], { env: { PATH: process.env['PATH'], ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)))
  child.stdin.on('error', () => undefined).end(stdin)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, ...output }
}
