import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RunningSide } from './http.ts'

const running = new Set<ChildProcess>()

// Without this, the servers would survive this process.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a server in a separate production process, by default of Node.js, and waits until it prints `listens on http://localhost:<port>`.
 *
 * @throws Error with its standard error if the process ends before it listens
 */
export async function startServer(
  file: URL,
  environment: Readonly<Record<string, string>>,
  [command = '', ...parameters]: readonly string[] = [process.execPath, '--conditions=@sallyport/source'],
): Promise<RunningSide> {
  const { PATH = '' } = process.env
  const child = spawn(command, [...parameters, fileURLToPath(file)], {
    env: { PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  running.add(child)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-8192)))
  const port = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      // Read all output, so that a server with logs never blocks on the pipe, but keep only the start.
      if (output.length < 64 * 1024) output += text
      const [, found] = /listens on http:\/\/localhost:(\d+)/.exec(output) ?? []
      if (found !== undefined) resolve(found)
    })
    exited.then(([code]) => {
      reject(new Error(`${file.pathname} ended with ${String(code)} before it listened: ${errors}`))
    }, reject)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    ...(child.pid !== undefined && { pid: child.pid }),
    async stop() {
      child.kill('SIGKILL')
      await exited
      running.delete(child)
    },
  }
}
