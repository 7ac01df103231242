{{/*
What the program's targets need of each other and of servers, by name: who calls whom (calls), which servers and
folders a target uses (stores), whether it reads the site's file (reads_site_file), and whether it answers the public (public). This is the program's nature and
no value: `cargo xtask gen` has the program write it.
*/}}
{{- define "cityguide.wiring" -}}
{{- $wiring := dict -}}
{{- range .Files.Get "targets.json" | fromJsonArray -}}
{{- $_ := set $wiring .name (omit . "name") -}}
{{- end -}}
{{- toYaml $wiring -}}
{{- end }}

{{/*
The Deployments of the chosen mode, by name: the wiring of each, with its values. Everything that is
made once for each Deployment ranges over this.
*/}}
{{- define "cityguide.workloads" -}}
{{- $ := . -}}
{{- $workloads := dict -}}
{{- if eq $.Values.mode "single" -}}
{{- $all := dict "args" (list "serve") "calls" list "stores" (list "database" "bus" "cache" "blobs" "mail" "thirdParties") "reads_site_file" true "public" true "rpc" false "replicas" 1 "autoscaling" (dict "enabled" false) "resources" $.Values.single.resources -}}
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
The fewest pods that a Deployment keeps; above one, a node may be drained without an outage.
*/}}
{{- define "cityguide.fewestPods" -}}
{{- if .autoscaling.enabled }}{{ .autoscaling.minReplicas }}{{ else }}{{ .replicas }}{{ end -}}
{{- end }}

{{/*
The Deployments that call one, as a JSON list.
*/}}
{{- define "cityguide.callers" -}}
{{- $callers := list -}}
{{- range $name, $workload := .workloads -}}
{{- if has $.name $workload.calls }}{{ $callers = append $callers $name }}{{ end -}}
{{- end -}}
{{- toJson $callers -}}
{{- end }}
