import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { z } from 'zod'
import type { BuiltMedia, BuiltOperation } from './built.ts'

/** The schemas that the bodies of a document were made from. */
export type Sources = ReadonlyMap<BuiltMedia, z.ZodType>

interface Declared {
  readonly requestBody?: { readonly content?: object }
  readonly responses?: Readonly<Record<string, { readonly content?: object }>>
}

export function sourcesOf(
  paths: Readonly<Record<string, Readonly<Record<string, BuiltOperation>>>>,
  declared: ZodOpenApiPathsObject,
): Sources {
  const sources = new Map<BuiltMedia, z.ZodType>()
  const add = (built: BuiltOperation['requestBody'], content: object = {}) => {
    for (const [type, { schema }] of Object.entries(content) as [string, { schema?: unknown }][]) {
      const media = built?.content?.[type]
      if (media !== undefined && schema instanceof z.ZodType) sources.set(media, schema)
    }
  }
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, { requestBody, responses = {} }] of Object.entries(item)) {
      const operation = (declared[path] as Readonly<Record<string, Declared>>)[method]
      add(requestBody, operation?.requestBody?.content)
      for (const status of Object.keys(responses)) {
        add(responses[status], operation?.responses?.[status]?.content)
      }
    }
  }
  return sources
}

/** Whether a schema refuses an example for more than documents can say, such as a refinement. */
export function isRefused(example: unknown, schema: z.ZodType, direction: 'request' | 'response'): boolean {
  try {
    const { error } = direction === 'request' ? schema.safeParse(example) : z.safeEncode(schema, example)
    // What is read-only or write-only is left out of one of the two.
    return error?.issues.some(({ path }) => valueAt(example, path) !== undefined) ?? false
  } catch (error) {
    // A response of what a transform makes cannot be checked; all other schemas can.
    return !(error instanceof z.core.$ZodEncodeError)
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((within, name) => (within as Record<PropertyKey, unknown> | undefined)?.[name], value)
}
