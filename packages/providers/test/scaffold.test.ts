import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { addProvider } from '../scripts/add-provider.ts'
import { help, questions, type ServiceAnswers } from '../scripts/questions.ts'
import { scaffold } from '../scripts/scaffold.ts'

const month = '2026-11'
const answers = Object.fromEntries(
  questions.map(([name, , usual]) => [name, usual]),
) as unknown as ServiceAnswers

it.each(['', 'Bell', 'door_bell', '../bell', 'bell-', '9lives'])('rejects the provider name %j', (name) => {
  expect(() => scaffold(name, answers, month)).toThrow(TypeError)
})

// Regression: such a file was written, could not be listed and made later runs fail.
it.each(['samples', 'delete', 'await', 'built-in-providers'])('rejects the reserved name %s', (name) => {
  expect(() => scaffold(name, answers, month)).toThrow(/is reserved\. Use/)
})

it('writes the answers as a declaration', () => {
  const given = {
    ...{ header: 'x-bell-signature', value: 'v1={signature}', timeHeader: 'x-bell-time' },
    ...{ kind: 'header:x-bell-topic, action', id: 'event.id' },
  }
  const files = scaffold('door-bell', { ...answers, ...given }, month)
  const source = files.get('door-bell.ts')
  expect(source).toContain("export const doorBell = defineService({\n  name: 'door-bell'")
  expect(source).toContain("kind: [{ header: 'x-bell-topic' }, 'action'],\n  id: 'event.id',")
  expect(source).toContain("timestamp: signedTime({ header: 'x-bell-time' })")
  expect(files.get('door-bell.samples.json')).toContain('"x-bell-topic": "todo"')
})

it.each([
  ['{signature}', `header: 'x-signature',\n    timestamp`],
  ['sha256={signature}', `prefix: 'sha256=',`],
  ['t={timestamp},v1={signature}', `structuredHeader('x-signature', { timestamp: 't', signature: 'v1' })`],
  ['ts={timestamp};h1={signature}', `{ timestamp: 'ts', signature: 'h1', separator: ';' }`],
  ['t:{timestamp}, s:{signature}', `{ timestamp: 't', signature: 's', separator: ', ', divider: ':' }`],
])('writes the value %s of a header as options', (value, code) => {
  const given = { value, timeHeader: value.includes('{timestamp}') ? '' : 'x-time' }
  const files = scaffold('bell', { ...answers, ...given }, month)
  expect(files.get('bell.ts')).toContain(code)
  expect(files.get('bell.ts')).toContain(`content: ({ timestamp, body }) => [timestamp, '.', body]`)
  expect(files.get('bell.test.ts')).toContain('update(`${time}.${text}`)')
})

it.each([
  [{ scheme: 'rsa' }, '--scheme must be one of'],
  [{ algorithm: 'sha-256' }, '--algorithm must be one of md5, sha1, sha256, sha512, not "sha-256"'],
  [{ encoding: 'hexadecimal' }, '--encoding must be one of hex, hex-upper, base64, base64url'],
  [{ timeUnit: 'minutes' }, '--timeUnit must be one of'],
  [{ header: 'X Signature' }, '--header must be the name of a header'],
  [{ docs: 'http://acme.example' }, '--docs must be an https address'],
  [{ value: 'signature' }, '--value must be like'],
  [{ value: 't={timestamp} {signature}' }, '--value must be like'],
  [{ content: '{time}.{body}' }, 'not {time}'],
  [{ content: '{timestamp}.{body}' }, '--content must have {timestamp} if'],
  [{ timeHeader: 'x-time', content: '{body}' }, '--content must have {timestamp} if'],
  [{ scheme: 'token', value: 't={timestamp},v1={signature}' }, 'A token has no time'],
])('rejects the answers %j', (given, message) => {
  expect(() => scaffold('bell', { ...answers, ...given }, month)).toThrow(message)
})

it('explains each option', () => {
  for (const [name] of questions) expect(help).toContain(`--${name} `)
})

it('writes two samples of different events, and lines of the width of the repository', () => {
  for (const scheme of ['hmac', 'standard-webhooks', 'token', 'basic']) {
    const header = 'x-a-long-name-of-a-service-signature'
    const given = { scheme, header, encoding: 'base64', value: 'sha256={signature}', id: 'id' }
    const files = scaffold('bell', { ...answers, ...given }, month)
    const [first, second] = JSON.parse(files.get('bell.samples.json') ?? '') as object[]
    expect(first).toMatchObject({ kind: 'todo', body: { type: 'todo', id: 'todo' } })
    expect(second).toMatchObject({ kind: 'todo-2', body: { type: 'todo-2', id: 'todo-2' } })
    const lines = [...files.values()].flatMap((text) => text.split('\n'))
    expect(lines.filter(({ length }) => length > 110)).toEqual([])
  }
})

it('adds a service to the lists, and leaves nothing of one that cannot be listed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-scaffold-'))
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const root = pathToFileURL(`${folder}/`)
  try {
    await cp(here('../src'), join(folder, 'src'), { recursive: true })
    await symlink(here('../../../node_modules'), join(folder, 'node_modules'))
    await cp(here('../package.json'), join(folder, 'package.json'))
    await addProvider('door-bell', answers, root)
    expect(await readFile(join(folder, 'src/index.ts'), 'utf8')).toContain("'./services/door-bell.ts'")
    await expect(addProvider('door-bell', answers, root)).rejects.toThrow('exists already')
    await expect(addProvider('codehost', answers, root)).rejects.toThrow('exists already')
    await rm(join(folder, 'package.json'))
    await expect(addProvider('bell', answers, root)).rejects.toThrow('ENOENT')
    expect(await readdir(join(folder, 'src/services'))).not.toContain('bell.ts')
  } finally {
    await rm(folder, { recursive: true })
  }
})
