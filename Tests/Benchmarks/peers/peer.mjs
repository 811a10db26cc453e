// Calls a URL with Node's fetch. NODE_EXTRA_CA_CERTS names the certificate. Prints the nanoseconds that the calls took.
const [count, window, url, , token] = process.argv.slice(2)

async function call() {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  await answer.text()
  if (answer.status !== 200) throw new Error(answer.statusText)
}

await call()
const began = process.hrtime.bigint()
await Promise.all(
  Array.from({ length: Number(window) }, async () => {
    for (let i = 0; i < Math.floor(count / window); i++) await call()
  }),
)
console.log(String(process.hrtime.bigint() - began))
