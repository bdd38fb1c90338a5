import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startApi } from './api.ts'
import { temporaryDirectory } from './server-process.ts'

it.each(['openapi.json', 'openapi-3.1.json'])('%s passes the strict rules of redocly', async (name) => {
  await using api = await startApi()
  await using folder = await temporaryDirectory()
  const file = join(folder.path, name)
  await writeFile(file, await (await fetch(`${api.base}/api/${name}`)).text())
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'lint', file, '--extends=recommended-strict', '--format=json'],
    {
      cwd: folder.path,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch((error: unknown) => error as { stdout: string })
  const { problems } = JSON.parse(stdout) as { problems: readonly unknown[] }
  expect(problems).toEqual([])
})
