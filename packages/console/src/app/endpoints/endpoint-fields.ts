import type { components } from '../api/schema.ts'

type Endpoint = Pick<components['schemas']['Endpoint'], 'name' | 'labels' | 'options'>

/** The fields of an endpoint as the operator edits them: a list has one item a line. */
export interface EndpointFields {
  readonly name: string
  readonly only: string
  readonly tolerance: string
  readonly labels: string
}

export function toFields({ name, labels, options }: Endpoint): EndpointFields {
  return {
    name,
    only: (options.only ?? []).join('\n'),
    tolerance: String(options.tolerance_seconds ?? ''),
    labels: Object.entries(labels)
      .map(([label, value]) => `${label}=${value}`)
      .join('\n'),
  }
}

/** Converts the fields. The API checks the values. */
export function fromFields({ name, only, tolerance, labels }: EndpointFields): Endpoint {
  const kinds = toLines(only.replaceAll(',', '\n'))
  return {
    name: name.trim(),
    labels: Object.fromEntries(toLines(labels).map(toLabel)),
    options: {
      ...(kinds.length > 0 && { only: kinds }),
      ...(tolerance.trim() !== '' && { tolerance_seconds: Number(tolerance) }),
    },
  }
}

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function toLabel(line: string): [label: string, value: string] {
  const [label = '', ...values] = line.split('=')
  return [label.trim(), values.join('=').trim()]
}
