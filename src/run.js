// In JavaScript, which every Node reads: the package `node` gets its Node in an install script, and without that (`npm ci
// --ignore-scripts`) an older one would stop at the first TypeScript file with words for nobody.
const OLDEST = 24

if (Number(process.versions.node.split('.')[0]) >= OLDEST) await import('./cli.ts')
else {
  process.stderr.write(
    `This needs Node ${OLDEST}, and Node ${process.versions.node} runs it. npm ci brings the right one in an install script: run it without --ignore-scripts (npm rebuild node catches up), or put Node ${OLDEST} on PATH.\n`,
  )
  process.exitCode = 1
}
