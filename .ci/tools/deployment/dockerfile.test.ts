import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { expect, it } from 'vitest'
import { resources, getText } from './files.ts'

const text = getText('Dockerfile')

it('is a Dockerfile without an error or a warning', () => {
  expect(validate(text, {})).toEqual([])
  expect(validate('FROM node\nEXPOSE http', {})).not.toEqual([])
})

it('has the Node.js that everything here is tested on', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    devDependencies: { node: string }
  }
  expect(/^ARG NODE_VERSION=(.+)$/m.exec(text)?.[1]).toBe(manifest.devDependencies.node)
})

it('has SQLite spill to the volume, where a container that is read-only has no other place', () => {
  // Sorts and new indexes of large tables once failed there with SQLITE_IOERR_GETTEMPPATH.
  const [, volume] = /^VOLUME (.+)$/m.exec(text) ?? []
  expect(volume).toBeDefined()
  expect(text).toContain(` SQLITE_TMPDIR=${volume}\n`)
})

it('runs as a numeric user without a shell', () => {
  expect(text).toMatch(/^USER 1000:1000$/m)
  expect(text).toMatch(/^ENTRYPOINT \["node", /m)
  const users = resources()
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => spec)
  expect(users.length).toBeGreaterThan(0)
  for (const spec of users) {
    expect(spec).toMatchObject({ template: { spec: { securityContext: { runAsUser: 1000 } } } })
  }
})
