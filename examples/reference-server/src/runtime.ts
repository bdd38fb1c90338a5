/** The oldest Node that the packages run on. */
const minimum = [22, 18] as const

/** One line for whoever starts it on an older Node, or undefined. */
export function runtimeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < minimum[0] || (major === minimum[0] && minor < minimum[1])
  return isOld
    ? `Sallyport needs Node.js ${minimum.join('.')} or newer, and this is ${version}: "npm start" brings its own.`
    : undefined
}
