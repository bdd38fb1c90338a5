import { statusText } from '../problem.ts'
import {
  listOperations,
  type OpenApiComponents,
  type OpenApiDocument,
  type OpenApiReference,
} from './document-model.ts'

/** A parameter, header or response that may move to the components. */
interface SharedPart {
  readonly name: string
  readonly part: object
  readonly refer: (reference: OpenApiReference) => void
}

/**
 * Moves repeated parameters, headers and responses of a document to its components. A component has the name of the part,
 * so a name whose parts differ belongs to the part that more than half of its uses have; the others stay in place. Names that
 * differ only in characters that a component cannot have are one name.
 */
export function shareParts(document: OpenApiDocument): void {
  const operations = listOperations(document)
  const responses = operations.flatMap((operation) => Object.values(operation.responses))
  const headers = responses.flatMap((response) =>
    'headers' in response ? collect(response.headers ?? {}, (name) => name) : [],
  )
  const components: OpenApiComponents = { ...document.components }
  // Headers come first, because equal responses have equal headers.
  const shared = {
    headers: share(headers, 'headers'),
    responses: share(
      operations.flatMap((operation) => collect(operation.responses, nameResponse)),
      'responses',
    ),
    parameters: share(
      operations.flatMap(({ parameters = [] }) =>
        collect(parameters, (_, part) => ('name' in part ? part.name : undefined)),
      ),
      'parameters',
    ),
  }
  for (const [kind, parts] of Object.entries(shared)) {
    if (Object.keys(parts).length > 0) Object.assign(components, { [kind]: parts })
  }
  if (Object.keys(components).length > 0) document.components = components
}

/** The name of an error response is the reason phrase of its status: `NotFound`. */
function nameResponse(status: string): string | undefined {
  return Number(status) < 400 ? undefined : statusText(Number(status)).replaceAll(' ', '')
}

function collect<Part extends object>(
  parts: Record<string, Part | OpenApiReference> | (Part | OpenApiReference)[],
  getName: (key: string, part: Part) => string | undefined,
): SharedPart[] {
  return Object.entries(parts).flatMap(([key, part]: [string, Part | OpenApiReference]) => {
    const name = '$ref' in part ? undefined : getName(key, part)
    const refer = (reference: OpenApiReference) => Object.assign(parts, { [key]: reference })
    return name === undefined ? [] : [{ name, part, refer }]
  })
}

function share(parts: readonly SharedPart[], kind: string): Readonly<Record<string, object>> {
  const components: Record<string, object> = {}
  // Allowed characters: https://spec.openapis.org/oas/v3.1.1#components-object
  const byComponent = Map.groupBy(parts, ({ name }) => name.replaceAll(/[^A-Za-z0-9._-]/g, '_'))
  for (const [component, uses] of byComponent) {
    const variants = Map.groupBy(uses, ({ part }) => JSON.stringify(part))
    for (const equal of variants.values()) {
      const [first] = equal
      if (first === undefined || equal.length < 2 || equal.length <= uses.length / 2) continue
      components[component] = first.part
      for (const { refer } of equal) refer({ $ref: `#/components/${kind}/${component}` })
    }
  }
  return components
}
