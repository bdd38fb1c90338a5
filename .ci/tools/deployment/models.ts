import ts from 'typescript'
import type { Resource } from './files.ts'

/** Returns the module with the model and the type of a resource. */
function getModule({ apiVersion, kind }: Resource): string {
  const isOperator = apiVersion.startsWith('monitoring.coreos.com/')
  const name = isOperator ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'
  return `${name}/${apiVersion}/${kind}`
}

/** Describes what a cluster refuses or ignores in resources: values that break their schema, and unknown fields. */
export async function findFaults(resources: readonly Resource[]): Promise<readonly string[]> {
  const faults: string[] = []
  for (const resource of resources) {
    const module = (await import(getModule(resource))) as Readonly<
      Record<string, new (data: unknown) => { validate(): void }>
    >
    const Model = module[resource.kind]
    try {
      if (Model === undefined) throw new Error('The package has no such kind')
      new Model(resource).validate()
    } catch (error) {
      faults.push(`${resource.kind} ${resource.metadata.name}: ${(error as Error).message}`)
    }
  }
  // The schemas allow unknown fields; the type check of literals does not.
  return [...faults, ...findTypeErrors(resources)]
}

/** What TypeScript says of the resources as literals of their types. */
function findTypeErrors(literals: readonly Resource[]): readonly string[] {
  const file = new URL('literals.ts', import.meta.url).pathname
  const text = literals.map((literal, index) => {
    return `import type { I${literal.kind} as I${index} } from '${getModule(literal)}'
export const literal${index}: I${index} = ${JSON.stringify(literal)}`
  })
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text.join('\n'), ts.ScriptTarget.ES2022) : read(name, ...rest)
  const program = ts.createProgram([file], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
