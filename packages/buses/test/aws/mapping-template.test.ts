import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createMessage } from './deliveries.ts'

it('the messages of the tests have the members of the mapping template in the README', async () => {
  const readme = await readFile(new URL('../../../../docs/reference/buses/aws.md', import.meta.url), 'utf8')
  const [, template = ''] = /#define\(\$request\)\n(.*)#end\nAction=/s.exec(readme) ?? []
  const written = template.replace(/#foreach.*#end\n/s, '').replace(/(?<!")\$context\.\w+/g, '1')
  const message = await createMessage({ kind: 'rung', id: '1' })
  expect(listMembers(JSON.parse(message))).toEqual(listMembers(JSON.parse(written)))
})

/** Lists the members of a message and the types of their values; headers depend on the request. */
function listMembers(message: unknown): readonly string[] {
  return Object.entries(Object(message) as Record<string, unknown>)
    .flatMap(([name, value]) =>
      typeof value === 'object' && name !== 'headers'
        ? listMembers(value).map((member) => `${name}.${member}`)
        : [`${name}: ${typeof value}`],
    )
    .sort()
}
