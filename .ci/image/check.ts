/**
 * Builds the content of the image from the Dockerfile without a container engine, and runs it like the image: as another
 * user and with read-only files. The server must become healthy, record a delivery and stop on the stop signal.
 * `--built` uses the existing build.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findOnly, parseStages } from './dockerfile.ts'
import { buildStages } from './stages.ts'

const workspace = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sallyport-image-'))
try {
  const stages = parseStages(join(workspace, 'examples/reference-server/Dockerfile'))
  const image = stages.at(-1)
  if (image === undefined) throw new Error('The Dockerfile has no stage')
  const done = process.argv.includes('--built') ? ['npm ci', 'npm run build'] : []
  const root = buildStages(stages, { workspace, folder, done })
  const files = globSync('**', { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
  process.stdout.write(`The image has ${files.length} files\n`)

  chmodSync(folder, 0o755)
  execFileSync('chmod', ['-R', 'a-w', root])
  execFileSync('chmod', ['u+w', join(root, 'data')])
  await check(root, image)
} finally {
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
}

async function check(root: string, image: Parameters<typeof findOnly>[0]): Promise<void> {
  const [uid, gid] = findOnly(image, 'USER').text.split(':').map(Number)
  const user = process.getuid?.() === 0 ? { uid, gid } : {}
  const variables = findOnly(image, 'ENV')
    .text.split(/\s+/)
    .map((pair) => pair.split('=', 2))
  const secret = randomBytes(32).toString('hex')
  const env = {
    ...(Object.fromEntries(variables) as Record<string, string>),
    PORT: '0',
    JWT_SECRET: randomBytes(32).toString('hex'),
    WEBHOOK_SECRET_CODEHOST: secret,
  }
  const node = ([command = '', ...parameters]: readonly string[]) => {
    if (command !== 'node') throw new Error(`The image has no ${command}`)
    return parameters
  }

  const started = performance.now()
  const server = spawn(process.execPath, node(findOnly(image, 'ENTRYPOINT').words), {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 2],
    ...user,
  })
  const exited = once(server, 'exit')
  let output = ''
  server.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  try {
    const probe = node(findOnly(image, 'HEALTHCHECK').words)
    const isHealthy = (PORT: string) =>
      spawnSync(process.execPath, probe, { env: { ...env, PORT }, ...user }).status === 0
    let port = ''
    const end = Date.now() + 60_000
    while (port === '' || !isHealthy(port)) {
      if (server.exitCode !== null || Date.now() > end)
        throw new Error('The server did not become healthy within 60 seconds')
      await sleep(200)
      port = /listens on http:\/\/localhost:(\d+)/.exec(output)?.[1] ?? ''
    }
    process.stdout.write(`Healthy after ${Math.round(performance.now() - started)} ms\n`)

    for (const expected of ['accepted', 'duplicate']) {
      const status = await deliver(`http://127.0.0.1:${port}/webhooks/codehost`, secret)
      if (status !== expected) throw new Error(`The delivery was ${status} instead of ${expected}`)
      process.stdout.write(`Delivery ${status}\n`)
    }

    server.kill(findOnly(image, 'STOPSIGNAL').text as NodeJS.Signals)
    const [code] = (await exited) as [number | null]
    if (code !== 0) throw new Error(`The server ended with ${String(code)}`)
    process.stdout.write('Stopped\n')
  } finally {
    server.kill('SIGKILL')
  }
}

async function deliver(url: string, secret: string): Promise<string> {
  const body = JSON.stringify({ type: 'workflow_run.completed', payload: { run: 1 } })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'x-github-event': 'workflow_run', 'x-hub-signature-256': `sha256=${signature}` }
  const response = await fetch(url, { method: 'POST', headers, body })
  const answer = (await response.json()) as { data?: { status: string }; error?: { code: string } }
  return answer.data?.status ?? `${response.status} ${answer.error?.code ?? ''}`
}
