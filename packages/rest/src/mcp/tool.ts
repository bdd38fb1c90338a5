import { getBodySchema } from '../api/request-body.ts'
import { nameComponents } from '../openapi/component-names.ts'
import { mapReferences, removeNotes, type JsonSchema } from '../openapi/json-schema.ts'
import { createParameters, toSentence } from '../openapi/operation.ts'
import { createSchemaRegistry, type SchemaRegistry } from '../openapi/schema-registry.ts'
import type { AnyRoute } from '../route.ts'

/** The argument with the JSON body of a request. */
export const bodyArgument = 'body'

/** A route as a tool. */
export interface Tool {
  readonly route: AnyRoute
  readonly title: string
  readonly description: string
  /** The JSON Schema of the arguments: those of the path and the query by name, and `body`. */
  readonly inputSchema: ToolSchema
  /** The names of the arguments of the path. */
  readonly pathNames: readonly string[]
  readonly isReadOnly: boolean
  readonly isTrusted: boolean
}

interface ToolSchema extends JsonSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
  readonly additionalProperties: false
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

/**
 * Creates the tools of the routes that declare `tool`.
 *
 * @throws TypeError for a route whose arguments share a name, and for a schema without JSON Schema
 */
export function createTools(routes: readonly AnyRoute[]): readonly Tool[] {
  return routes.flatMap((route) => (route.tool === undefined ? [] : [createTool(route, route.tool)]))
}

function createTool(route: AnyRoute, { readOnly, trusted = false }: NonNullable<AnyRoute['tool']>): Tool {
  const { operationId, method, body, bodyRequired, description = '' } = route
  const registry = createSchemaRegistry()
  const title = route.summary ?? toSentence(operationId)
  const parameters = createParameters(route, registry)
  const names = [...parameters.map(({ name }) => name), ...(body === undefined ? [] : [bodyArgument])]
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TypeError(`${operationId}: a tool cannot have two arguments ${twice}`)
  const properties: Record<string, JsonSchema> = Object.fromEntries(
    parameters.map((one) => [
      one.name,
      { ...one.schema, ...(one.description !== undefined && { description: one.description }) },
    ]),
  )
  const required = parameters.filter((one) => one.required === true).map(({ name }) => name)
  if (body !== undefined) {
    properties[bodyArgument] = registry.convert(getBodySchema(body), 'input', `${operationId}Body`)
    if (bodyRequired !== false) required.push(bodyArgument)
  }
  return {
    route,
    title,
    description: [title, description].filter((text) => text !== '').join('. '),
    inputSchema: bundle({ type: 'object', properties, required, additionalProperties: false }, registry),
    pathNames: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    isReadOnly: readOnly ?? method === 'GET',
    isTrusted: trusted,
  }
}

/** Adds the components that a schema refers to. */
function bundle(schema: ToolSchema, { schemas }: SchemaRegistry): ToolSchema {
  const names = nameComponents(schemas)
  const $defs: Record<string, JsonSchema> = {}
  const insert = (part: JsonSchema): JsonSchema =>
    mapReferences(removeNotes(part), ($ref) => {
      const [component, name] = [schemas.get($ref), names.get($ref)]
      if (component === undefined || name === undefined) return $ref
      if (!Object.hasOwn($defs, name)) {
        // A component may refer to itself.
        $defs[name] = {}
        $defs[name] = insert(component)
      }
      return `#/$defs/${name}`
    })
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, part]) => [name, insert(part)]),
  )
  return { ...schema, properties, ...(Object.keys($defs).length > 0 && { $defs }) }
}
