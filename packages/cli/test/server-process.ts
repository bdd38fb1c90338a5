import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { unusedPort } from '@sallyport/test-support/services'

const main = fileURLToPath(new URL('../../../examples/reference-server/src/main.ts', import.meta.url))

/** A reference server in its own process. */
export interface ServerProcess {
  readonly url: string
  /** Ends the process with SIGKILL. */
  readonly kill: () => Promise<void>
  /** Starts the process again, on the same port and with the same data. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts the reference server with the environment on a port of localhost. */
export async function startServerProcess(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  // The port is part of the URL that services sign.
  const port = await unusedPort()
  const url = `http://localhost:${port}`
  let server: ChildProcess

  async function start(): Promise<void> {
    server = spawn(process.execPath, ['--conditions=@sallyport/source', main], {
      env: {
        PATH: process.env['PATH'],
        PORT: String(port),
        HOST: '127.0.0.1',
        PUBLIC_URL: url,
        LOG_LEVEL: 'silent',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    await new Promise<void>((resolve, reject) => {
      const onData = (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('listens on')) resolve()
      }
      server.stdout?.on('data', onData)
      server.stderr?.on('data', onData)
      server.once('exit', () => {
        reject(new Error(`The server ended: ${output}`))
      })
    })
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill(signal)
    await once(server, 'exit')
  }

  await start()
  return { url, start, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
