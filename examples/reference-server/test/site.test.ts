import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeSite } from '../scripts/site.ts'
import { temporaryDirectory } from './server-process.ts'

it('writes the page of the API and its documents into the site, with relative links only', async () => {
  await using folder = await temporaryDirectory()
  const paths = await writeSite(folder.path)
  const read = (path: string) => readFile(join(folder.path, path), 'utf8')
  const page = await read('index.html')
  const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, link]) => link)
    .filter((link) => link !== 'data:,')
  expect(links).not.toEqual([])
  expect(paths).toEqual(expect.arrayContaining(links))
  expect(JSON.parse(await read('openapi.json'))).toMatchObject({ openapi: '3.0.3' })
  expect(JSON.parse(await read('asyncapi.json'))).toMatchObject({ asyncapi: '3.0.0' })
})
