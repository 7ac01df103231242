{{/*
The dependencies of the program's targets, by name: called targets (calls), servers and folders (stores), whether the
target reads the site's file (reads_site_file), and whether it serves public requests (public). The program defines
them, not the chart's values; `cargo xtask gen` writes the file.
*/}}
{{- define "cityguide.wiring" -}}
{{- $wiring := dict -}}
{{- range .Files.Get "targets.json" | fromJsonArray -}}
{{- $_ := set $wiring .name (omit . "name") -}}
{{- end -}}
{{- toYaml $wiring -}}
{{- end }}

{{/*
The Deployments of the chosen mode, by name, each with its wiring and values. Templates with an object per Deployment
range over them.
*/}}
{{- define "cityguide.workloads" -}}
{{- $ := . -}}
{{- if and $.Values.erasures.s3.bucket (not $.Values.internal.secret.name) }}{{ fail "erasures: the register needs internal.secret, whose key signs its entries" }}{{ end -}}
{{- $workloads := dict -}}
{{- if eq $.Values.mode "single" -}}
{{- $all := dict "args" (list "serve") "calls" list "stores" (list "database" "bus" "cache" "blobs" "mail" "thirdParties" "erasures") "reads_site_file" true "public" true "rpc" false "replicas" 1 "autoscaling" (dict "enabled" false) "resources" $.Values.single.resources -}}
{{- $_ := set $workloads "all" $all -}}
{{- else -}}
{{- $wiring := include "cityguide.wiring" $ | fromYaml -}}
{{- range $name, $_ := $.Values.services -}}
{{- if not (hasKey $wiring $name) }}{{ fail (printf "services.%s: there is no such target; there are %s" $name (keys $wiring | sortAlpha | join ", ")) }}{{ end -}}
{{- end -}}
{{- range $name, $wired := $wiring -}}
{{- $own := dict "args" (list "serve" "--target" $name) "rpc" (not $wired.public) -}}
{{- $values := get $.Values.services $name | default dict -}}
{{- if and $values.databaseSecret (not (has "database" $wired.stores)) }}{{ fail (printf "services.%s.databaseSecret: this target has no tables" $name) }}{{ end -}}
{{- $_ := set $workloads $name (merge $own $wired (deepCopy $values) (deepCopy $.Values.serviceDefaults)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $workloads -}}
{{- end }}

{{/*
The minimum number of pods of a Deployment; if it is above 1, a node can be drained without an outage.
*/}}
{{- define "cityguide.fewestPods" -}}
{{- if .autoscaling.enabled }}{{ .autoscaling.minReplicas }}{{ else }}{{ .replicas }}{{ end -}}
{{- end }}

{{/*
The Deployments that call the given Deployment, as a JSON list.
*/}}
{{- define "cityguide.callers" -}}
{{- $callers := list -}}
{{- range $name, $workload := .workloads -}}
{{- if has $.name $workload.calls }}{{ $callers = append $callers $name }}{{ end -}}
{{- end -}}
{{- toJson $callers -}}
{{- end }}
