@echo off
rem SPDX-License-Identifier: Apache-2.0
rem
rem The varve command on Windows: finds Java 25 and starts it. The launcher for other systems, the file varve, explains
rem the options. In a clone, build first: mvn -DskipTests -pl cli -am package
setlocal EnableExtensions DisableDelayedExpansion

set "root=%~dp0"
set "jar=%root%varve.jar"
if not exist "%jar%" set "jar=%root%cli\target\varve.jar"
if not exist "%jar%" (
  echo varve: %jar% is missing: build it, or unpack the archive again. 1>&2
  exit /b 69
)

set "java="
if exist "%root%runtime\bin\java.exe" set "java=%root%runtime\bin\java.exe"
if not defined java if defined VARVE_JAVA_HOME set "java=%VARVE_JAVA_HOME%\bin\java.exe"
if not defined java if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
if not defined java set "java=java.exe"

set "archive="
if exist "%root%varve.jsa" set "archive=-XX:SharedArchiveFile="%root%varve.jsa""

set "brief=-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
set "always=-XX:-UsePerfData -Xlog:disable --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
set "histories=-Xmx1g -Xms64m"
set "long=-Xmx1g"
set "watch=-Xmx1g -Xms8m -XX:MinHeapFreeRatio=5 -XX:MaxHeapFreeRatio=10 -XX:-ShrinkHeapInSteps"

rem The JDK's list of modules lies beside the folder of java.exe; a java.exe of the path has no known folder.
for %%j in ("%java%") do if exist "%%~dpj..\release" (
  findstr /c:"jdk.incubator.vector" "%%~dpj..\release" > nul && set "long=-Xmx1g -Dvarve.vectors=yes"
)

set "flags=%brief%"
set "word=%~1"
if "%word%"=="--store" set "word=%~3"
for %%c in (serve ui) do if "%word%"=="%%c" set "flags=%long%"
for %%c in (check backup derive erase gc retention copy) do if "%word%"=="%%c" set "flags=%long% -XX:+UseSerialGC"
for %%c in (import sync) do if "%word%"=="%%c" set "flags=%brief% %histories%"
if "%word%"=="export" set "flags=-XX:+UseSerialGC"
for %%c in (sync pi) do if "%word%"=="%%c" goto words
goto start

:words
if "%~1"=="" goto start
if "%~1"=="--watch" set "flags=%brief% %watch%"
shift
goto words

:start
if not defined VARVE_ASCII set "VARVE_ASCII=1"

"%java%" %flags% %always% %VARVE_JAVA_OPTS% -Dvarve.command=varve %archive% -jar "%jar%" %*
exit /b %ERRORLEVEL%
