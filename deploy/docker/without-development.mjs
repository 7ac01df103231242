// Leaves the packages that only development needs out of an SBOM of npm's (CycloneDX), from a file or standard input
// to standard output. `npm sbom --omit dev` would leave out React too, because packages for tests need it as well.
import { readFileSync } from 'node:fs'

const sbom = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'))
const isNeeded = ({ properties }) =>
  !properties.some(({ name }) => name === 'cdx:npm:package:development')

const components = sbom.components.filter(isNeeded)
const refs = new Set([sbom.metadata.component, ...components].map((each) => each['bom-ref']))
const dependencies = sbom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) }))

process.stdout.write(`${JSON.stringify({ ...sbom, components, dependencies }, null, 2)}\n`)
