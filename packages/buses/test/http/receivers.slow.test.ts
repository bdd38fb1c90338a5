import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createHttpDestination } from '@sallyport/buses/http'
import { describeNeeding } from '@sallyport/test-support/services'
import { createEvent } from '@sallyport/webhooks/testing'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const guide = new URL('../../../../docs/guides/put-it-in-front-of-your-services.md', import.meta.url)
const secret = `whsec_${btoa('the secret of this destination..')}`
const older = `whsec_${btoa('the older secret of destination.')}`
const { signal } = new AbortController()

const languages = [
  { language: 'python', command: 'python3', version: '--version', file: 'receiver.py', start: [] },
  {
    language: 'go',
    command: 'go',
    version: 'version',
    file: 'receiver.go',
    start: ['build', '-o', 'receiver'],
  },
]

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

for (const { language, command, version, file, start } of languages)
  describeNeeding(
    {
      what: `the command ${command}`,
      hint: `install ${command}`,
      find: () =>
        run(command, [version]).then(
          () => command,
          () => undefined,
        ),
    },
    () => {
      it(`is received by the example in ${language}`, async () => {
        const [, code = ''] =
          new RegExp(`\`\`\`${language}\n([^\`]+)\`\`\``).exec(await readFile(guide, 'utf8')) ?? []
        const folder = await mkdtemp(join(tmpdir(), 'sallyport-receiver-'))
        onTestFinished(() => rm(folder, { recursive: true }))
        await writeFile(join(folder, file), code)
        if (start.length > 0) await run(command, [...start, file], { cwd: folder })
        const port = await findFreePort()
        const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret }
        const [binary, arguments_] = start.length > 0 ? [join(folder, 'receiver'), []] : [command, [file]]
        const receiver = spawn(binary, arguments_, { cwd: folder, env, stdio: 'ignore' })
        onTestFinished(() => void receiver.kill())

        const send = async (secrets: readonly string[]) => {
          const url = `http://127.0.0.1:${port}/`
          const destination = createHttpDestination({
            url,
            mode: 'event',
            secrets,
            network: { allowPrivate: true },
          })
          const message = { deliveryId: 'delivery-1', events: [createEvent('a', 0)], attempt: 1 }
          const { status } = await destination.send(message, signal)
          await destination.close()
          return status
        }
        await expect.poll(() => send([secret])).toBe(204)
        expect(await send([older, secret])).toBe(204)
        expect(await send([older])).toBe(401)
      })
    },
  )
