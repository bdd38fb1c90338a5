import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** Starts a Redis that writes each command to the disk before it answers (`appendfsync always`). */
export async function startRedis(directory: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await findFreePort()
  const child = spawn(
    'redis-server',
    `--port ${port} --bind 127.0.0.1 --appendonly yes --appendfsync always --save --maxmemory-policy noeviction`.split(
      ' ',
    ),
    { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = once(child, 'exit')
  const abandon = () => child.kill('SIGKILL')
  process.once('exit', abandon)
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Ready to accept connections')) resolve()
    })
    void exited.then(() => {
      reject(new Error('redis-server ended before it was ready'))
    })
  })
  return {
    port,
    async stop() {
      process.off('exit', abandon)
      abandon()
      await exited
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
