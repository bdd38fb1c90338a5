import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeNeeding } from '@sallyport/test-support/services'
import { expect, it } from 'vitest'
import { runtimeProblem } from '../src/runtime.ts'
import { buildServer } from './built-server.ts'

const commandLine = new URL('../../../packages/cli/bin/sallyport.js', import.meta.url)

/** The first Node on the PATH that is too old, if there is one. */
function findOldNode(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders
    .map((folder) => join(folder, 'node'))
    .filter((node) => existsSync(node))
    .find((node) => {
      const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
      return runtimeProblem(version) !== undefined && Number(version.split('.')[0]) >= 14
    })
}

describeNeeding(
  {
    what: 'a Node.js older than 22.18 on the PATH',
    find: findOldNode,
    hint: 'install one, such as Node.js 20',
  },
  (node) => {
    const run = (path: string) => spawnSync(node, [path], { encoding: 'utf8', timeout: 20_000 })

    it('ends the built server with one clear line instead of a crash', async () => {
      await using built = await buildServer()
      const { status, stdout, stderr } = run(built.main)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^Sallyport needs Node\.js 22\.18 or newer, but this is .+\n$/)
    })

    it('ends the command line with one clear line', () => {
      const { status, stdout, stderr } = run(fileURLToPath(commandLine))
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^sallyport needs Node\.js 22\.18 or newer; the current version is .+\n$/)
    })
  },
)
