import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { githubSecret, type Example } from './example-suite.ts'
import { createSend } from './http-host.ts'

/** A running example in a process of its own. */
export interface RunningExample extends Example {
  /** Ends the process at once, as a crash does. */
  readonly kill: () => Promise<void>
}

/**
 * Runs an example from source and waits for the address that it prints.
 *
 * @param folder the folder of the example
 * @param options `entry` is the program, by default `src/main.ts`
 */
export async function startExample(
  folder: string,
  { entry = 'src/main.ts', env }: { readonly entry?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<RunningExample> {
  const child = spawn(process.execPath, ['--conditions=@sallyport/source', entry], {
    cwd: folder,
    env: { ...process.env, PORT: '0', WEBHOOK_SECRET_GITHUB: githubSecret, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'exit')
  const port = await new Promise<number>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /http:\/\/\S+:(\d+)\//.exec(output)?.[1]
      if (found !== undefined) resolve(Number(found))
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    void ended.then(() => {
      reject(new Error(`The example ended: ${output}`))
    })
  })
  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    await ended
  }
  return {
    send: createSend(port),
    output: () => output,
    close: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}
